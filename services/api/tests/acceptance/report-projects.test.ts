import { afterAll, expect, test } from 'vitest';
import { catalogCalls, freshKey } from '../support/catalog.ts';
import { countStatuses, expectIssues, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = catalogCalls(service);
const create = (body: object) => service.send('POST', '/v1/handoff-reports/projects/create', body);
const update = (body: object) => service.send('POST', '/v1/handoff-reports/projects/update', body);

afterAll(() => service.stop());

test('spec 30 §5.2: a Project has its defaults, and is read as it was created', async () => {
  const project_key = freshKey();
  const { status, body } = await calls.create({ project_key });
  expect(status).toBe(201);
  expect(body).toEqual({
    schema: 'service.project.v1',
    project_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    project_key,
    title: 'A project',
    description: null,
    default_locale: 'zh-CN',
    timezone: 'UTC',
    catalog_state: 'included',
    version: 1,
  });
  expect((await calls.get(body.project_id)).body).toEqual(body);
});

test('spec 30 scenario 52: an Idempotency-Key answers the Project as it is, and another body is 409', async () => {
  const key = freshKey();
  const body = { project_key: freshKey(), title: 'First' };
  const first = await calls.create(body, key);
  const renamed = await calls.update(first.body, { title: 'Renamed', project_key: freshKey() });
  const again = await calls.create({ ...body, description: null, timezone: 'UTC' }, key);
  expect([again.status, again.body]).toEqual([201, renamed.body]);
  const other = await calls.create({ ...body, title: 'Second' }, key);
  expect([other.status, other.error?.code, other.error?.details]).toEqual([
    409,
    'project_conflict',
    { reason: 'idempotency_key', project_id: first.body.project_id },
  ]);
});

test('spec 30 §5.3.5: 20 concurrent requests with one Idempotency-Key make one Project', async () => {
  const [key, project_key] = [freshKey(), freshKey()];
  const replies = await race(20, () => calls.create({ project_key }, key));
  expect(countStatuses(replies)).toEqual({ 201: 20 });
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const bodies = await race(10, (index) => calls.create({ title: `Title ${index}` }, `${key}-2`));
  expect(countStatuses(bodies)).toEqual({ 201: 1, 409: 9 });
});

test('spec 30 §5.3.1: of concurrent Projects with one key one is created, the others are 409 with it', async () => {
  const project_key = freshKey();
  const replies = await race(12, () => calls.create({ project_key }));
  expect(countStatuses(replies)).toEqual({ 201: 1, 409: 11 });
  const holder = replies.find(({ status }) => status === 201)?.body.project_id;
  for (const { error } of replies.filter(({ status }) => status === 409)) {
    expect(error?.details).toEqual({ reason: 'key_in_use', project_id: holder });
  }
});

test('spec 30 §5.3.1: keys compare in NFC and case-sensitively, and are stored as sent', async () => {
  const end = freshKey();
  const { body } = await calls.create({ project_key: `e\u0301${end}` });
  expect(body.project_key).toBe(`e\u0301${end}`);
  expect((await calls.create({ project_key: `\u00e9${end}` })).error?.details).toEqual({
    reason: 'key_in_use',
    project_id: body.project_id,
  });
  expect((await calls.create({ project_key: `E\u0301${end}` })).status).toBe(201);
  expectIssues(await create({ project_key: '\u0958'.repeat(64), title: 'T' }), ['project_key']);
  expect((await calls.create({ project_key: `\u0958${'x'.repeat(62)}` })).status).toBe(201);
});

test('spec 30 §5.3.2: an update replaces the descriptor, and each version is kept', async () => {
  const project = await calls.made({ description: 'Old.' });
  const change = {
    title: 'New',
    description: null,
    default_locale: 'en',
    timezone: 'Europe/Berlin',
    catalog_state: 'archived',
  } as const;
  const updated = await calls.update(project, change);
  expect([updated.status, updated.body]).toEqual([200, { ...project, ...change, version: 2 }]);
  const unchanged = await calls.update(updated.body);
  expect(unchanged.body).toEqual({ ...updated.body, version: 3 });
  const kept = await query<{ version: number; descriptor: unknown }>(
    service.databaseUrl,
    'SELECT version, descriptor FROM report_project_revisions WHERE project_id = $1 ORDER BY version',
    [project.project_id],
  );
  expect(kept).toEqual(
    [project, updated.body, unchanged.body].map((descriptor, index) => ({ version: index + 1, descriptor })),
  );
});

test('spec 30 §5.3.3, §5.3.4: a repeated update answers as the first time, a stale one is 409', async () => {
  const project = await calls.made();
  const first = await calls.update(project, { title: 'Second' });
  expect((await calls.update(project, { title: 'Second' })).body).toEqual(first.body);
  const stale = await calls.update(project, { title: 'Other' });
  expect([stale.status, stale.error?.code, stale.error?.details]).toEqual([
    409,
    'project_conflict',
    { reason: 'stale_version', expected_version: 1, current_version: 2 },
  ]);
  for (const expected_version of [2 ** 31, Number.MAX_SAFE_INTEGER - 1]) {
    const body = { project: { ...project, version: expected_version + 1 }, expected_version };
    expect((await update(body)).status).toBe(409);
  }
});

test('spec 30 §5.3.2: of 10 concurrent updates of one version one succeeds', async () => {
  const project = await calls.made();
  const replies = await race(10, (index) => calls.update(project, { title: `Title ${index}` }));
  expect(countStatuses(replies)).toEqual({ 200: 1, 409: 9 });
  expect((await calls.get(project.project_id)).body).toEqual(
    replies.find(({ status }) => status === 200)?.body,
  );
});

test('spec 30 §5.3.3: a key that another Project has is 409 after the version, archived Projects included', async () => {
  const [one, two] = [await calls.made(), await calls.made()];
  await calls.update(one, { catalog_state: 'archived' });
  const taken = await calls.update(two, { project_key: one.project_key });
  expect(taken.error?.details).toEqual({ reason: 'key_in_use', project_id: one.project_id });
  const stale = await calls.update({ ...two, version: 7 }, { project_key: one.project_key });
  expect(stale.error?.details['reason']).toBe('stale_version');
});

test('spec 30 §5.2: shape comes before existence, and existence before conflicts', async () => {
  const project = await calls.made();
  const unknown = { ...project, project_id: 'not there' };
  expectIssues(await update({ project: { ...unknown, version: 3 }, expected_version: 1 }), [
    'project.version',
  ]);
  expect((await calls.update(unknown)).status).toBe(404);
  expect((await calls.get(project.project_id.toUpperCase())).status).toBe(404);
  for (const field of Object.keys(project)) {
    const { [field]: _left, ...rest } = { ...project, version: 2 } as Record<string, unknown>;
    expectIssues(await update({ project: rest, expected_version: 1 }), [`project.${field}`]);
  }
});

test.each([
  ['a key of 65 characters', { project_key: 'x'.repeat(65) }, 'project_key'],
  ['white space at an end', { title: 'T ' }, 'title'],
  ['a title of 257 characters', { title: '\u{1F9E0}'.repeat(257) }, 'title'],
  ['an empty description', { description: '' }, 'description'],
  ['another locale', { default_locale: 'fr' }, 'default_locale'],
  ['a NUL', { title: 'a\u0000b' }, 'title'],
  ['an unknown field', { owner: 'me' }, 'owner'],
  ['a version', { version: 1 }, 'version'],
])('spec 30 §5.1: a Project with %s is 422', async (_what, fields, path) => {
  expectIssues(await create({ project_key: freshKey(), title: 'T', ...fields }), [path]);
});

test('spec 30 scenario 45: names of zones and links are taken as sent, other names are 422', async () => {
  for (const timezone of ['Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'Etc/GMT+1', 'GB'])
    expect((await calls.made({ timezone })).timezone).toBe(timezone);
  for (const timezone of ['europe/berlin', 'CEST', 'IST', '+02:00', 'Mars/Phobos', '', 'toString', null])
    expectIssues(await create({ project_key: freshKey(), title: 'T', timezone }), ['timezone']);
});

test('spec 30 §5.3.7: pages are stable, hide archived Projects, and cursors belong to their list', async () => {
  const projects = [];
  for (let index = 0; index < 5; index += 1) projects.push(await calls.made());
  const [first] = projects;
  if (first === undefined) throw new Error('No Project was made.');
  const archived = (await calls.update(first, { catalog_state: 'archived' })).body;
  const page = (await calls.projects({ limit: 1 })).body;
  const cursor = page.next_cursor ?? '';
  await calls.made();
  const all = (await calls.projects({ limit: 100 })).body;
  expect(all.next_cursor).toBeNull();
  const ids = all.items.map(({ project_id }) => project_id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).not.toContain(archived.project_id);
  const rest = (await calls.projects({ limit: 100, cursor })).body.items;
  expect([...page.items, ...rest]).toEqual(all.items);
  expect((await calls.projects({ limit: 100, include_archived: true })).body.items).toContainEqual(archived);

  const { project_id } = first;
  const foreign = [
    await calls.projects({ cursor, include_archived: true }),
    await calls.workstreams(project_id, { cursor }),
    await calls.projects({ cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }),
    await calls.projects({ cursor: 'x' }),
  ];
  for (const reply of foreign) expect([reply.status, reply.error?.code]).toEqual([400, 'invalid_cursor']);
  for (const limit of [0, 101, 1.5, '1', null])
    expectIssues(await service.send('POST', '/v1/handoff-reports/projects/list', { limit }), ['limit']);
});
