import { openDatabase } from '@continuity/kernel/database';
import { sweepActivities } from '@continuity/shared/reports';
import { afterAll, expect, test } from 'vitest';
import { catalogCalls, freshKey } from '../support/catalog.ts';
import { countStatuses, expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = catalogCalls(service);
const record = (body: object) => service.send('POST', '/v1/handoff-reports/activities/record', body);
const list = (body: object) => service.send('POST', '/v1/handoff-reports/activities/list', body);

afterAll(() => service.stop());

const commit = {
  source: 'git_commit',
  occurred_at: '2026-10-01T12:02:00.9999+02:00',
  time_basis: 'source_reported',
  title: 'Keep 410',
  vcs_context: { branch: 'cart-410' },
} as const;

test('spec 30 §5.5: an event has every field, and its time in UTC with milliseconds', async () => {
  const { project_id } = await calls.made();
  const scope_id = freshScope();
  const source_event_id = freshKey();
  const { status, body } = await calls.record(project_id, { ...commit, scope_id, source_event_id });
  expect(status).toBe(201);
  expect(body).toEqual({
    cursor: 1,
    event: {
      schema: 'service.handoff-report-activity.v1',
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      project_id,
      scope_id,
      source: 'git_commit',
      source_event_id,
      source_ref: null,
      occurred_at: '2026-10-01T10:02:00.999Z',
      observed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      time_basis: 'source_reported',
      title: 'Keep 410',
      summary: null,
      agent: null,
      session_id: null,
      vcs_context: { branch: 'cart-410', head_revision: null },
      evidence_refs: [],
      trust: 'untrusted_observation',
    },
  });
  expect((await calls.activities(project_id)).body).toEqual({
    items: [body.event],
    next_cursor: null,
    high_watermark: 1,
  });
  // Recording never creates a Scope (spec 30 §5.4.4).
  expect((await service.call('get_scope', { params: { scope_id } })).status).toBe(404);
});

test('spec 30 scenario 32: one identity has one cursor, other content is 409, and a purge never gives a cursor back', async () => {
  const { project_id } = await calls.made();
  const source_event_id = freshKey();
  const first = await calls.record(project_id, { ...commit, source_event_id });
  const again = await calls.record(project_id, {
    ...commit,
    source_event_id,
    occurred_at: '2026-10-01T10:02:00.999Z',
    vcs_context: { branch: 'cart-410', head_revision: null },
    summary: null,
    evidence_refs: [],
  });
  expect([again.status, again.body]).toEqual([201, first.body]);
  const details = { source: 'git_commit', source_event_id };
  const other = await calls.made();
  for (const change of [
    { title: 'Keep 404' },
    { title: 'Keep 410\u0301' },
    { scope_id: 'elsewhere' },
    { occurred_at: '2026-10-01T10:02:01Z' },
    { vcs_context: null },
  ]) {
    const refused = await calls.record(project_id, { ...commit, source_event_id, ...change });
    expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
      409,
      'activity_event_conflict',
      details,
    ]);
  }
  expect((await calls.record(other.project_id, { ...commit, source_event_id })).error?.details).toEqual(
    details,
  );
  expect((await calls.record('nowhere', { ...commit, source_event_id })).error?.code).toBe(
    'project_not_found',
  );

  expect((await calls.purge(project_id)).body).toEqual({ deleted_count: 1 });
  expect((await calls.purge(project_id)).body).toEqual({ deleted_count: 0 });
  expect((await calls.activities(project_id)).body).toEqual({
    items: [],
    next_cursor: null,
    high_watermark: 1,
  });
  const next = await calls.record(other.project_id, { ...commit, source_event_id });
  expect([next.status, next.body.cursor]).toEqual([201, 1]);
  expect((await calls.record(project_id)).body.cursor).toBe(2);
});

test('spec 30 scenario 32: `occurred_at` is given exactly with `source_reported`; agent and VCS have a value', async () => {
  const { project_id } = await calls.made();
  const base = { project_id, source: 'other', source_event_id: freshKey(), time_basis: 'host_observed' };
  for (const time_basis of ['host_observed', 'first_seen', 'current_only', 'unknown'])
    expectIssues(await record({ ...base, time_basis, occurred_at: '2026-10-01T10:00:00Z' }), ['occurred_at']);
  expectIssues(await record({ ...base, time_basis: 'source_reported' }), ['occurred_at']);
  expectIssues(await record({ ...base, agent: {}, vcs_context: { branch: null, head_revision: null } }), [
    'agent',
    'vcs_context',
  ]);
  expectIssues(await record({ ...base, project_id: 'nowhere', agent: {} }), ['agent']);
  expect((await calls.activities(project_id)).body.high_watermark).toBe(0);
});

test.each([
  ['2026-10-01t10:00:00z', '2026-10-01T10:00:00.000Z'],
  ['2028-02-29T23:59:59.12+23:59', '2028-02-29T00:00:59.120Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0000-12-31T23:30:00-01:00', '0001-01-01T00:30:00.000Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  ['2026-10-01T10:00:00-00:00', '2026-10-01T10:00:00.000Z'],
])('spec 30 scenario 46: %s is accepted, and selected by a period', async (occurred_at, expected) => {
  const { project_id } = await calls.made();
  const { body } = await calls.record(project_id, { ...commit, occurred_at, source_event_id: freshKey() });
  expect(body.event.occurred_at).toBe(expected);
  const { items } = (await calls.activities(project_id, { period_start: expected })).body;
  expect(items).toEqual([body.event]);
  expect((await calls.activities(project_id, { period_end: expected })).body.items).toEqual([]);
});

test.each([
  '2026-12-31T23:59:60Z',
  '2026-12-31T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2026-10-01 10:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2026-10-01T10:00:00',
  '2026-10-01T10:00Z',
  '2026-10-01T10:00:00.Z',
  '2026-10-01T10:00:00+24:00',
  '2026-10-01T10:00:00Z\n',
  '',
  1_790_000_000_000,
])('spec 30 scenario 46: %j is no time', async (time) => {
  const { project_id } = await calls.made();
  expectIssues(await record({ project_id, ...commit, source_event_id: freshKey(), occurred_at: time }), [
    'occurred_at',
  ]);
  expectIssues(
    await service.send('POST', '/v1/handoff-reports/activities/purge', { project_id, observed_before: time }),
    ['observed_before'],
  );
});

test('spec 30 scenario 46: bounds that are equal after the cut to milliseconds are 422', async () => {
  const { project_id } = await calls.made();
  const period = { period_start: '2026-10-01T10:00:00.0001Z', period_end: '2026-10-01T12:00:00.0009+02:00' };
  expectIssues(await list({ project_id, ...period }), ['period_start']);
  expectIssues(await list({ project_id: 'nowhere', ...period }), ['period_start']);
});

test('spec 30 §5.4.3: 40 concurrent events have the cursors 1 to 40, and of equal ones one is stored', async () => {
  const { project_id } = await calls.made();
  const replies = await race(40, () => calls.record(project_id));
  expect(replies.map(({ body }) => body.cursor).sort((one, two) => one - two)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  const source_event_id = freshKey();
  const equal = await race(12, () => calls.record(project_id, { source_event_id, title: 'Once' }));
  expect(countStatuses(equal)).toEqual({ 201: 12 });
  expect(new Set(equal.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const other = await race(12, (index) =>
    calls.record(project_id, { source_event_id: `${source_event_id}-2`, title: `${index}` }),
  );
  expect(countStatuses(other)).toEqual({ 201: 1, 409: 11 });
  expect((await calls.activities(project_id)).body.high_watermark).toBe(42);
});

test('spec 30 §5.4.5: a listing is frozen by its high watermark, filtered by source and by effective time', async () => {
  const { project_id } = await calls.made();
  const bases = ['host_observed', 'first_seen', 'current_only', 'unknown'] as const;
  for (const [index, time_basis] of bases.entries()) {
    const source = index % 2 === 0 ? 'git_worktree' : 'other';
    await calls.record(project_id, { time_basis, source, title: `${index + 1}` });
  }
  const titles = async (fields: object) => {
    const { body } = await calls.activities(project_id, fields);
    return [body.items.map(({ title }) => Number(title)), body.next_cursor, body.high_watermark];
  };
  expect(await titles({})).toEqual([[1, 2, 3, 4], null, 4]);
  expect(await titles({ limit: 3 })).toEqual([[1, 2, 3], 3, 4]);
  expect(await titles({ limit: 4 })).toEqual([[1, 2, 3, 4], null, 4]);
  await calls.record(project_id, { title: '5' });
  expect(await titles({ after_cursor: 3, through_cursor: 4 })).toEqual([[4], null, 5]);
  expect(await titles({ after_cursor: 3, through_cursor: 4, limit: 1 })).toEqual([[4], null, 5]);
  expect(await titles({ after_cursor: 5, through_cursor: 4 })).toEqual([[], null, 5]);
  expect(await titles({ through_cursor: 0 })).toEqual([[], null, 5]);
  expect(await titles({ through_cursor: Number.MAX_SAFE_INTEGER, after_cursor: 4 })).toEqual([[5], null, 5]);
  expect(await titles({ sources: [] })).toEqual([[], null, 5]);
  expect(await titles({ sources: ['other', 'other'] })).toEqual([[2, 4], null, 5]);
  expect(await titles({ sources: ['git_worktree', 'coding_session'] })).toEqual([[1, 3, 5], null, 5]);
  // Only the first, the second and the last event have an effective time.
  expect(await titles({ period_start: '0001-01-01T00:00:00Z' })).toEqual([[1, 2, 5], null, 5]);
  expect(await titles({ period_end: '0001-01-02T00:00:00Z' })).toEqual([[], null, 5]);
  expect((await calls.activities('nowhere')).error?.code).toBe('project_not_found');
});

test('spec 30 §5.4.3: a purge deletes what was observed before its time, and nothing else', async () => {
  const { project_id } = await calls.made();
  const other = await calls.made();
  for (const id of [project_id, project_id, other.project_id]) await calls.record(id);
  const [, second] = (await calls.activities(project_id)).body.items;
  await query(
    service.databaseUrl,
    "UPDATE report_activities SET observed_at = observed_at - interval '1 day' WHERE project_id = $1 AND cursor = 1",
    [project_id],
  );
  expect((await calls.purge(project_id, second?.observed_at)).body.deleted_count).toBe(1);
  expect((await calls.activities(project_id)).body.items).toEqual([second]);
  expect((await calls.activities(other.project_id)).body.items).toHaveLength(1);
  expect((await calls.purge('nowhere')).error?.code).toBe('project_not_found');
});

test('spec 30 §5.4.3: a purge of 12,000 events in a Project of as many is answered within seconds', async () => {
  const { project_id } = await calls.made();
  await query(
    service.databaseUrl,
    `INSERT INTO report_activities (tenant_id, project_id, cursor, event_id, source, source_event_id, observed_at, event)
     SELECT tenant_id, project_id, n, gen_random_uuid(), 'other', project_id::text || n, now(), '{}'
     FROM report_projects, generate_series(1, 12000) AS n WHERE project_id = $1`,
    [project_id],
  );
  await query(
    service.databaseUrl,
    'UPDATE report_activity_sequences SET last_cursor = 12000 WHERE project_id = $1',
    [project_id],
  );
  expect((await calls.purge(project_id)).body).toEqual({ deleted_count: 12_000 });
  expect((await calls.record(project_id)).body.cursor).toBe(12_001);
});

test('spec 30 §5.4.6: the sweep deletes events of all Projects that are older than the limit', async () => {
  const projects = [await calls.made(), await calls.made()];
  for (const { project_id } of projects) for (let n = 0; n < 3; n += 1) await calls.record(project_id);
  await query(
    service.databaseUrl,
    `UPDATE report_activities SET observed_at = now() - interval '90 days' - interval '1 min'
     WHERE project_id = ANY ($1) AND cursor < 3`,
    [projects.map(({ project_id }) => project_id)],
  );
  const database = openDatabase({
    url: service.databaseUrl,
    size: 2,
    name: 'sweep',
    onIdleError: () => undefined,
  });
  await Promise.all([sweepActivities(database, 90), sweepActivities(database, 90)]);
  await database.close();
  for (const { project_id } of projects) {
    const { items, high_watermark } = (await calls.activities(project_id)).body;
    expect([items.length, high_watermark]).toEqual([1, 3]);
  }
});

test.each([
  ['an unknown source', { source: 'email' }, 'source'],
  ['an unknown basis', { time_basis: 'guessed' }, 'time_basis'],
  ['a summary of 2,001 characters', { summary: 'x'.repeat(2001) }, 'summary'],
  ['an event id', { event_id: 'mine' }, 'event_id'],
  ['a time of observation', { observed_at: '2026-10-01T10:00:00Z' }, 'observed_at'],
  ['a lone surrogate', { title: '\ud800' }, 'title'],
  [
    'a reference twice',
    { evidence_refs: Array(2).fill({ kind: 'task', provider: 'p', external_id: 'e' }) },
    'evidence_refs',
  ],
])('spec 30 §5.1: an activity with %s is 422', async (_what, fields, path) => {
  const { project_id } = await calls.made();
  const base = { project_id, source: 'other', source_event_id: freshKey(), time_basis: 'first_seen' };
  expectIssues(await record({ ...base, ...fields }), [path]);
});
