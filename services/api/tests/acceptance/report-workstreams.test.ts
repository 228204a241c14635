import { afterAll, expect, test } from 'vitest';
import { catalogCalls, freshKey } from '../support/catalog.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService();
const calls = catalogCalls(service);
const register = (body: object) => service.send('POST', '/v1/handoff-reports/workstreams/register', body);
const update = (body: object) => service.send('POST', '/v1/handoff-reports/workstreams/update', body);
const getScope = (scope_id: string) => service.call('get_scope', { params: { scope_id } });

afterAll(() => service.stop());

const issue = { kind: 'issue', provider: 'github', external_id: 'shop/7' } as const;

test('spec 30 §5.3.5: registering an unknown Scope creates it, a known one stays as it is', async () => {
  const { project_id } = await calls.made();
  const [unknown, known] = [freshScope(), freshScope()];
  await capture(service, known, 'evidence');
  const { status, body } = await calls.register(project_id, unknown, { external_refs: [issue] });
  expect(status).toBe(201);
  expect(body).toEqual({
    schema: 'service.workstream.v1',
    scope_id: unknown,
    project_id,
    key: null,
    title: 'A workstream',
    kind: 'feature',
    catalog_state: 'included',
    external_refs: [{ ...issue, url: null }],
    labels: [],
    version: 1,
  });
  expect((await getScope(unknown)).body).toMatchObject({ title: unknown, version: 1 });
  await calls.register(project_id, known);
  expect((await getScope(known)).body.version).toBe(1);
});

test('spec 30 scenario 52: a repeated register answers as the first time, and is 409 after an update', async () => {
  const { project_id } = await calls.made();
  const scope = freshScope();
  const fields = { key: freshKey(), labels: ['b', 'a'], external_refs: [issue] };
  const first = await calls.register(project_id, scope, fields);
  const again = await calls.register(project_id, scope, {
    ...fields,
    external_refs: [{ ...issue, url: null }],
    catalog_state: 'included',
  });
  expect([again.status, again.body]).toEqual([201, first.body]);
  const registered = { reason: 'scope_already_registered', scope_id: scope, project_id };
  const other = await calls.register(project_id, scope, { ...fields, labels: ['a', 'b'] });
  expect([other.status, other.error?.code, other.error?.details]).toEqual([
    409,
    'workstream_conflict',
    { ...registered, current_version: 1 },
  ]);
  await calls.updateWorkstream(first.body);
  const late = await calls.register(project_id, scope, fields);
  expect(late.error?.details).toEqual({ ...registered, current_version: 2 });
});

test('spec 30 §5.3.3: a Scope of another Project is 409 with that Project, and a refusal creates nothing', async () => {
  const [one, two] = [await calls.made(), await calls.made()];
  const [scope, other] = [freshScope(), freshScope()];
  const key = freshKey();
  await calls.register(one.project_id, scope, { key });
  expect((await calls.register(two.project_id, scope)).error?.details).toEqual({
    reason: 'scope_already_grouped',
    scope_id: scope,
    project_id: one.project_id,
  });
  expect((await calls.register(one.project_id, other, { key })).error?.details).toEqual({
    reason: 'key_in_use',
    scope_id: scope,
    project_id: one.project_id,
  });
  expect((await calls.register('nowhere', other)).error?.code).toBe('project_not_found');
  expect((await getScope(other)).status).toBe(404);
  expect((await calls.register(two.project_id, other, { key })).status).toBe(201);
});

test('spec 30 §5.3: concurrent registers of one Scope, and of one key, have one winner', async () => {
  const projects = [await calls.made(), await calls.made()];
  const scope = freshScope();
  const grouped = await race(10, (index) => calls.register(projects[index % 2]?.project_id ?? '', scope));
  expect(countStatuses(grouped)).toEqual({ 201: 5, 409: 5 });
  const [{ project_id } = { project_id: '' }] = projects;
  const key = freshKey();
  const keyed = await race(10, (index) => calls.register(project_id, freshScope(`${index}`), { key }));
  expect(countStatuses(keyed)).toEqual({ 201: 1, 409: 9 });
});

test('spec 30 §5.3.2: an update replaces the descriptor; another Project is 422, after the 404', async () => {
  const [{ project_id }, other] = [await calls.made(), await calls.made()];
  const scope = freshScope();
  const { body } = await calls.register(project_id, scope);
  const change = { key: 'K', title: 'New', kind: 'bug', labels: ['x'], external_refs: [] } as const;
  const updated = await calls.updateWorkstream(body, { ...change, labels: ['x'], external_refs: [] });
  expect(updated.body).toEqual({ ...body, ...change, version: 2 });
  expect((await calls.updateWorkstream(body, { ...change, labels: ['x'], external_refs: [] })).body).toEqual(
    updated.body,
  );
  expect((await calls.updateWorkstream(body, { title: 'Late' })).error?.details).toEqual({
    reason: 'stale_version',
    expected_version: 1,
    current_version: 2,
  });
  for (const elsewhere of [other.project_id, 'nowhere']) {
    const workstream = { ...updated.body, project_id: elsewhere, version: 3 };
    expectIssues(await update({ workstream, expected_version: 2 }), ['workstream.project_id']);
  }
  const unknown = await calls.updateWorkstream({
    ...updated.body,
    scope_id: freshScope(),
    project_id: 'nowhere',
  });
  expect([unknown.status, unknown.error?.code]).toEqual([404, 'workstream_not_found']);
  expectIssues(await update({ workstream: { ...body, version: 2 }, expected_version: 2 }), [
    'workstream.version',
  ]);
});

test('spec 30 §5.3.2: of 10 concurrent updates one succeeds, and of two that want one key too', async () => {
  const { project_id } = await calls.made();
  const [a, b] = [
    (await calls.register(project_id, freshScope(), { key: 'a' })).body,
    (await calls.register(project_id, freshScope(), { key: 'b' })).body,
  ];
  const replies = await race(10, (index) => calls.updateWorkstream(a, { title: `T${index}` }));
  expect(countStatuses(replies)).toEqual({ 200: 1, 409: 9 });
  const key = freshKey();
  const current = { ...a, version: 2 };
  const both = await Promise.all([
    calls.updateWorkstream(current, { key }),
    calls.updateWorkstream(b, { key }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('spec 30 scenario 53: an archived Project takes Workstreams; archived ones leave the list and keep their keys', async () => {
  const project = await calls.made();
  await calls.update(project, { catalog_state: 'archived' });
  const { project_id } = project;
  const scopes = ['\u{10000}', '\uffff', 'b', 'B', 'a'].map((start) => freshScope(start));
  for (const [index, scope] of scopes.entries()) {
    expect((await calls.register(project_id, scope, { key: `k${index}` })).status).toBe(201);
  }
  const sorted = scopes.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)));
  const listed = async (fields: object) =>
    (await calls.workstreams(project_id, fields)).body.items.map(({ scope_id }) => scope_id);
  expect(await listed({})).toEqual(sorted);
  const [first] = (await calls.workstreams(project_id)).body.items;
  if (first === undefined) throw new Error('Nothing was listed.');
  await calls.updateWorkstream(first, { catalog_state: 'archived' });
  expect(await listed({})).toEqual(sorted.slice(1));
  expect(await listed({ include_archived: true })).toEqual(sorted);
  expect((await calls.register(project_id, freshScope(), { key: first.key })).status).toBe(409);
  expect((await calls.record(project_id)).status).toBe(201);
  expect((await calls.attach(freshScope('workspace'), project_id, null)).status).toBe(200);

  const pages: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { body } = await calls.workstreams(project_id, { limit: 2, cursor });
    pages.push(...body.items.map(({ scope_id }) => scope_id));
    cursor = body.next_cursor;
    if (cursor === null) break;
  }
  expect(pages).toEqual(sorted.slice(1));
});

test.each([
  [
    '33 references',
    { external_refs: Array.from({ length: 33 }, (_, n) => ({ ...issue, external_id: `${n}` })) },
    'external_refs',
  ],
  [
    'a reference twice, once with a null url',
    { external_refs: [issue, { ...issue, url: null }] },
    'external_refs',
  ],
  ['an unknown kind of reference', { external_refs: [{ ...issue, kind: 'web' }] }, 'external_refs[0].kind'],
  ['a label twice', { labels: ['a', 'a'] }, 'labels'],
  ['33 labels', { labels: Array.from({ length: 33 }, (_, n) => `${n}`) }, 'labels'],
  ['an unknown kind', { kind: 'epic' }, 'kind'],
  ['a key that is too long in NFC', { key: '\u0958'.repeat(33) }, 'key'],
  ['a blank Scope', { scope_id: ' ' }, 'scope_id'],
])('spec 30 §5.1: a Workstream with %s is 422, and creates no Scope', async (_what, fields, path) => {
  const { project_id } = await calls.made();
  const scope_id = freshScope();
  expectIssues(await register({ project_id, scope_id, title: 'T', kind: 'other', ...fields }), [path]);
  expect((await getScope(scope_id)).status).toBe(404);
});

test('spec 30 §5.1: 32 references and labels of the largest size are kept', async () => {
  const { project_id } = await calls.made();
  const wide = (length: number, n: number) =>
    `${String(n).padStart(2, '0')}${'\u{1F9E0}'.repeat(length - 2)}`;
  const external_refs = Array.from({ length: 32 }, (_, n) => ({
    kind: 'other' as const,
    provider: wide(64, n),
    external_id: wide(256, n),
    url: wide(2048, n),
  }));
  const labels = Array.from({ length: 32 }, (_, n) => wide(128, n));
  const scope = freshScope();
  const { body } = await calls.register(project_id, scope, { external_refs, labels });
  expect(body).toMatchObject({ external_refs, labels });
  expect((await calls.workstreams(project_id)).body.items).toEqual([body]);
});
