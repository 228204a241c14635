import { handoffReportResponse } from '@continuity/contract/reports';
import { newId } from '@continuity/kernel/text';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { catalogCalls, freshKey } from '../support/catalog.ts';
import { handoffCalls } from '../support/handoff.ts';
import { freshScope } from '../support/memory.ts';
import { reportCalls } from '../support/reports.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const { get, report, view, commit } = reportCalls(service);
const { ground } = handoffCalls(service);
const catalog = catalogCalls(service);

afterAll(() => service.stop());

async function project(scopes = 1): Promise<{ project_id: string; scopes: string[] }> {
  const { project_id } = await catalog.made({ title: 'Web shop', default_locale: 'en' });
  const names = Array.from({ length: scopes }, () => freshScope()).sort();
  for (const scope of names) {
    await ground(scope);
    await catalog.register(project_id, scope, { title: `Work in ${scope}` });
  }
  return { project_id, scopes: names };
}

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

/** Waits until a commit would have a later time than `time`. */
const pass = (time: string) => waitUntil(() => Date.now() > Date.parse(time) + 2);

test('spec 30 §4.3: a report of a Project has its Workstreams, its activities and their relation to the Handoffs', async () => {
  const { project_id, scopes } = await project(2);
  const [one = '', two = ''] = scopes;
  await commit(one, 0);
  const committedAt = (await report({ project_id })).scopes[0]?.committed_at ?? '';
  const reported = { source: 'git_commit', time_basis: 'source_reported' } as const;
  await catalog.record(project_id, {
    ...reported,
    scope_id: one,
    occurred_at: later(committedAt, -1000),
    title: 'before',
  });
  await catalog.record(project_id, {
    ...reported,
    scope_id: one,
    occurred_at: later(committedAt, 1000),
    title: 'after',
  });
  await catalog.record(project_id, { scope_id: two, time_basis: 'current_only', title: 'now' });
  await catalog.record(project_id, { scope_id: 'elsewhere', time_basis: 'unknown', title: 'unassigned' });
  const full = await report({ project_id });
  expect(full.project?.title).toBe('Web shop');
  expect(full.scopes.map(({ activities }) => activities.map(({ title }) => title))).toEqual([
    ['before', 'after'],
    ['now'],
  ]);
  expect(full.scopes.map(({ activity_status }) => activity_status)).toEqual([
    'activity_after_handoff',
    'activity_without_handoff',
  ]);
  expect(full.unassigned_activity.map(({ title }) => title)).toEqual(['unassigned']);
  expect(full.activity_selection).toHaveLength(4);
  expect(full.activity_cursor).toBe(4);
  expect(full.coverage).toMatchObject({
    unknown_time_events: 2,
    unassigned_activity_count: 1,
    activity_coverage: 'captured',
  });
});

test('spec 30 scenario 33: a period selects revisions and events inside it, and compares them with those before', async () => {
  const { project_id, scopes } = await project(2);
  const [scope = ''] = scopes;
  const committed = async (base: number) => {
    await commit(scope, base);
    const time = (await report({ project_id })).scopes[0]?.committed_at ?? '';
    await pass(time);
    return time;
  };
  const times = [await committed(0), await committed(1), await committed(2)];
  const [first = '', second = ''] = times;
  const [start, end] = [later(first, 1), later(second, 1)];
  const length = Date.parse(end) - Date.parse(start);
  const record = (occurred_at: string, title: string) =>
    catalog.record(project_id, { source: 'git_commit', time_basis: 'source_reported', occurred_at, title });
  await record(start, 'first moment');
  await record(later(end, -1), 'last moment');
  await record(end, 'too late');
  await record(later(start, -1), 'previous');
  await record(later(start, -length), 'first of previous');
  await record(later(start, -length - 1), 'too early');
  await catalog.record(project_id, { time_basis: 'unknown', title: 'no time' });
  const periodic = await report({ project_id, period: { start, end, compare_to_previous_period: true } });
  expect(periodic.report_kind).toBe('periodic');
  expect(periodic.unassigned_activity.map(({ title }) => title)).toEqual(['first moment', 'last moment']);
  expect(periodic.scopes[0]?.handoff?.artifact.revision).toBe(2);
  expect(periodic.scopes[0]?.handoff_history.map(({ reference }) => reference.revision)).toEqual([1, 2]);
  expect(periodic.normalized_period).toEqual({
    start,
    end,
    timezone: 'UTC',
    compare_to_previous_period: true,
  });
  const reference = (revision: number) => ({ family: 'handoff', artifact_id: 'handoff', revision });
  expect(periodic.period_comparison).toMatchObject({
    previous_start: later(start, -length),
    previous_end: start,
    current_activity_count: 2,
    previous_activity_count: 2,
    activity_delta: 0,
    handoff_changes: [
      { change: 'advanced', from: reference(1), to: reference(2), from_status: 'continuable' },
      { change: 'none', from: null, to: null },
    ],
  });
  expect(periodic.baseline_selection?.[0]?.handoff_ref).toEqual(reference(1));
  expect(periodic.end_selection[0]?.handoff_ref).toEqual(reference(2));
  const before = await report({ project_id, period: { start: later(first, -1000), end: first } });
  expect(before.scopes[0]).toMatchObject({ status: 'no_handoff', handoff_revision_count: 0 });
  expect(before.period_comparison).toBeNull();
});

test('spec 30 scenario 45: a zone is taken as it is spelled in the database, and moves no boundary', async () => {
  const { project_id } = await project(0);
  // A week that holds a change of daylight saving time.
  const week = { start: '2026-10-24T00:00:00+02:00', end: '2026-10-31T00:00:00+01:00' };
  for (const timezone of ['Europe/Berlin', 'Asia/Calcutta', 'UTC']) {
    const { normalized_period, period_comparison } = await report({
      project_id,
      period: { ...week, timezone, compare_to_previous_period: true },
    });
    expect(normalized_period?.timezone).toBe(timezone);
    const lengthOf = (start = '', end = '') => Date.parse(end) - Date.parse(start);
    expect(lengthOf(period_comparison?.previous_start, period_comparison?.previous_end)).toBe(
      lengthOf(normalized_period?.start, normalized_period?.end),
    );
  }
  for (const timezone of ['europe/berlin', 'CEST', '+02:00', 'Mars/Phobos']) {
    expect((await get({ project_id, period: { ...week, timezone } })).status).toBe(422);
  }
});

test('spec 30 scenario 46: times of a period', async () => {
  const { project_id } = await project(0);
  const ask = (start: string, end = '2027-01-01T00:00:00Z') => get({ project_id, period: { start, end } });
  expect((await ask('2026-10-01t10:00:00z')).status).toBe(200);
  const wrong = [
    '2026-12-31T23:59:60Z',
    '2026-10-01T24:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-10-01 10:00:00Z',
  ];
  for (const start of [...wrong, '0000-01-01T00:00:00Z', '2026-10-01T10:00:00'])
    expect([start, (await ask(start)).status]).toEqual([start, 422]);
  expect((await ask('2026-10-01T10:00:00.0001Z', '2026-10-01T10:00:00.0009Z')).status).toBe(422);
});

test('spec 30 scenario 53: an archived Project is reported, and archived Workstreams only if they are asked for', async () => {
  const { project_id, scopes } = await project(2);
  const [stream] = (await catalog.workstreams(project_id)).body.items;
  if (stream === undefined) throw new Error('The Project has no Workstream.');
  await catalog.updateWorkstream(stream, { catalog_state: 'archived' });
  const { body } = await catalog.get(project_id);
  await catalog.update(body, { catalog_state: 'archived' });
  const visible = await report({ project_id });
  expect(visible.project?.catalog_state).toBe('archived');
  expect(visible.scope_ids).toEqual(scopes.filter((scope) => scope !== stream.scope_id));
  const all = await report({ project_id, include_archived: true });
  expect(all.scope_ids).toEqual(scopes);
  expect(all.selection_digest).not.toBe(visible.selection_digest);
});

test('spec 30 scenario 29: 101 Workstreams are too many, and the answer is the envelope', async () => {
  const { project_id } = await project(0);
  await query(
    service.databaseUrl,
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT tenant_id, $1 || n, 'S', 'S' FROM tenants, generate_series(1, 101) n WHERE name = 'default'
       RETURNING tenant_id, scope_id
     )
     INSERT INTO report_workstreams (tenant_id, scope_id, project_id, title, kind, catalog_state)
     SELECT tenant_id, scope_id, $2, 'W', 'feature', 'included' FROM scope`,
    [freshKey(), project_id],
  );
  const { status, json, headers } = await get({ project_id, download: true });
  expect([status, json]).toMatchObject([
    413,
    {
      error: {
        code: 'handoff_report_too_large',
        details: {
          limit: 'workstreams',
          limit_value: 100,
          estimated_bytes: null,
          selected_workstreams: 101,
          selected_activities: 0,
        },
      },
    },
  ]);
  expect(headers.get('content-disposition')).toBeNull();
});

test('spec 30 scenario 44: 5,001 activities and 1,001 Scopes are too many, 5,000 of a period are not', async () => {
  const { project_id } = await project(0);
  const event = {
    ...{ schema: 'service.handoff-report-activity.v1', project_id, scope_id: null, source: 'other' },
    ...{
      source_ref: null,
      occurred_at: null,
      observed_at: '2026-10-01T00:00:00.000Z',
      time_basis: 'host_observed',
    },
    ...{ title: null, summary: null, agent: null, session_id: null, vcs_context: null, evidence_refs: [] },
    trust: 'untrusted_observation',
  };
  await query(
    service.databaseUrl,
    `INSERT INTO report_activities (tenant_id, project_id, cursor, event_id, source, source_event_id, effective_at, observed_at, event)
     SELECT tenant_id, $1, n, id, 'other', id, at, at,
            ($2::jsonb || jsonb_build_object('event_id', id, 'source_event_id', id))::text
     FROM tenants, generate_series(1, 5001) n, LATERAL (SELECT gen_random_uuid() AS id, n AS seed) i,
       LATERAL (SELECT timestamptz '2026-10-01T00:00:00Z' + (n > 5000)::int * interval '1 day' AS at) t
     WHERE name = 'default'`,
    [project_id, JSON.stringify(event)],
  );
  const tooMany = await get({ project_id });
  expect([tooMany.status, tooMany.json]).toMatchObject([
    413,
    { error: { details: { limit: 'activities', selected_activities: 5001, selected_workstreams: 0 } } },
  ]);
  const period = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
  expect((await report({ project_id, period })).activity_selection).toHaveLength(5000);
  const parent = freshScope();
  await ground(parent);
  await query(
    service.databaseUrl,
    `INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
     SELECT tenant_id, $1 || n, 'S', 'S', $1 FROM tenants, generate_series(1, 1000) n WHERE name = 'default'`,
    [parent],
  );
  const selection = { mode: 'subtree', root_scope_id: parent };
  const { status, json } = await get({ selection });
  expect([status, json]).toMatchObject([
    413,
    {
      error: {
        details: { limit: 'scopes', limit_value: 1000, selected_workstreams: 1001, estimated_bytes: null },
      },
    },
  ]);
});

test('spec 30 scenarios 31 and 42: no report that is requested after a purge has a purged title, in any form', async () => {
  const { project_id } = await project(1);
  const forms = [
    () => get({ project_id }),
    () => get({ project_id, format: 'markdown', locale: 'zh-CN' }),
    () => view({ project_id }),
  ];
  const ended: string[] = [];
  let round = 0;
  let isOver = false;
  /** Titles that were purged, and their answer had arrived. */
  const purged = new Set<string>();
  const purge = async () => {
    while (!isOver) {
      const title = `secret-${round++}-${newId()}`;
      await catalog.record(project_id, { title });
      const observed_before = new Date(Date.now() + 60_000).toISOString();
      await service.call('purge_handoff_report_activities', { body: { project_id, observed_before } });
      purged.add(title);
    }
  };
  const read = async (ask: (typeof forms)[number]) => {
    for (let index = 0; index < 8; index += 1) {
      const gone = [...purged];
      const { status, text } = await ask();
      expect(status, text).toBe(200);
      expect(gone.filter((title) => text.includes(title))).toEqual([]);
    }
  };
  const submit = async () => {
    for (let index = 0; index < 8; index += 1) {
      const { json } = await get({ project_id, include_archived: true }, { prefer: 'respond-async' });
      ended.push((json as { job_id: string }).job_id);
    }
  };
  const writing = purge();
  await Promise.all([...forms.map(read), submit()]).finally(() => {
    isOver = true;
  });
  await writing;
  for (const job_id of ended) {
    const { status, text } = await service.send('GET', `/v1/jobs/${job_id}`);
    if (status === 200) expect([...purged].filter((title) => text.includes(title))).toEqual([]);
    else expect(status).toBe(404);
  }
  // Jobs that have ended before a purge that deletes an event are gone.
  const { json } = await get({ project_id }, { prefer: 'respond-async' });
  const { job_id } = json as { job_id: string };
  await waitUntil(async () => (await service.send('GET', `/v1/jobs/${job_id}`)).text.includes('succeeded'));
  await catalog.record(project_id);
  const observed_before = new Date(Date.now() + 60_000).toISOString();
  await service.call('purge_handoff_report_activities', { body: { project_id, observed_before } });
  expect((await service.send('GET', `/v1/jobs/${job_id}`)).status).toBe(404);
});

test('spec 30 scenarios 27 and 36: reports are whole while others commit, and show what was answered before', async () => {
  const { project_id, scopes } = await project(5);
  for (const scope of scopes) await commit(scope, 0, `${scope} at 1`);
  const [busy = '', own = ''] = scopes;
  let isOver = false;
  const writer = async () => {
    for (let base = 1; !isOver; base += 1) await commit(busy, base, `${busy} at ${base + 1}`);
  };
  const writing = writer();
  for (let base = 1; base <= 15; base += 1) {
    await commit(own, base, `${own} at ${base + 1}`);
    const body = handoffReportResponse.parse((await get({ project_id })).json);
    for (const { scope, handoff, content } of body.report?.scopes ?? []) {
      expect(content?.objective).toBe(`${scope.scope_id} at ${handoff?.artifact.revision}`);
    }
    expect(body.report?.scopes[1]?.handoff?.artifact.revision).toBe(base + 1);
  }
  isOver = true;
  await writing;
});
