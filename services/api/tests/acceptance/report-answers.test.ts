import { type HandoffReport, handoffReport } from '@continuity/contract/reports';
import { canonicalJson, hashHex, type JsonValue } from '@continuity/kernel/json';
import { afterAll, expect, test } from 'vitest';
import { cite, draft, handoffCalls, prepared, stated } from '../support/handoff.ts';
import { freshScope } from '../support/memory.ts';
import { exact, reportCalls } from '../support/reports.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const { get, report, view, commit } = reportCalls(service);
const { ground } = handoffCalls(service);

afterAll(() => service.stop());

/** A Scope with the Source `evidence` and `revisions` of its Handoff. */
async function handedOff(revisions = 1): Promise<string> {
  const scope = freshScope();
  await ground(scope);
  for (let base = 0; base < revisions; base += 1) await commit(scope, base);
  return scope;
}

/** The digest of a value whose strings are in NFC. */
function digestOf(value: unknown): string {
  const normalized = JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    typeof one === 'string' ? one.normalize('NFC') : one,
  ) as JsonValue;
  return `sha256:${hashHex(canonicalJson(normalized))}`;
}

const issuePaths = (json: unknown) =>
  (json as { error: { details: { issues: { path: string }[] } } }).error.details.issues.map(
    ({ path }) => path,
  );

test('spec 30 scenario 25: both selections, none, or a period without a Project is 422', async () => {
  const scope = freshScope();
  const period = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
  const wrong = [
    [{ ...exact(scope), project_id: 'p' }, ['selection', 'project_id']],
    [{}, ['selection', 'project_id']],
    [{ selection: null, project_id: null }, ['selection', 'project_id']],
    [{ ...exact(scope), period }, ['period']],
    [{ ...exact(scope), include_archived: true }, ['include_archived']],
    [{ project_id: 'p', period: { ...period, end: period.start } }, ['period']],
    [
      { project_id: 'p', period: { start: '2025-01-01T00:00:00Z', end: '2026-01-02T00:00:00.001Z' } },
      ['period'],
    ],
    [{ ...exact(scope), locale: 'fr' }, ['locale']],
  ] as const;
  for (const [body, paths] of wrong) {
    const { status, json, headers } = await get(body);
    expect([status, issuePaths(json)]).toEqual([422, paths]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('spec 30 §4.1.4: an unknown Project, Scope or root is 404', async () => {
  const known = await handedOff();
  const cases = [
    [{ project_id: 'unknown' }, 'project_not_found', {}],
    [{ project_id: '019a0c2e-7b10-7c44-9a51-2f6f0f4f9d10' }, 'project_not_found', {}],
    [exact(known, 'zz', 'unknown'), 'scope_not_found', { scope_id: 'unknown' }],
    [{ selection: { mode: 'subtree', root_scope_id: 'gone' } }, 'scope_not_found', { scope_id: 'gone' }],
  ] as const;
  for (const [body, code, details] of cases) {
    const { status, json } = await get(body);
    expect([status, json]).toMatchObject([404, { error: { code, details } }]);
  }
});

test('spec 30 scenario 26: both digests of a JSON report can be recomputed, and stand in the headers', async () => {
  const scope = freshScope();
  await ground(scope);
  await handoffCalls(service).commit(
    scope,
    prepared(scope, 0, { objective: 'Not in NFC: e\u0301, \u212B, \u0958.' }),
  );
  const { headers, json } = await get({ ...exact(scope), locale: 'en' });
  const body = json as { report: HandoffReport; selection_digest: string; report_digest: string };
  const { report_digest, ...rest } = body.report;
  expect(digestOf(rest)).toBe(report_digest);
  const { selection, scope_ids, project_revision, normalized_filters, normalized_period } = rest;
  const { selection_consistency, activity_cursor, baseline_selection, end_selection } = rest;
  const selected = {
    ...{
      schema: 'service.handoff-report-selection.v2',
      selection,
      scope_ids,
      project_id: null,
      project_revision,
    },
    ...{ normalized_filters, normalized_period, selection_consistency, activity_cursor },
    ...{ baseline_selection, end_selection, activity_selection: [] },
  };
  expect(digestOf(selected)).toBe(rest.selection_digest);
  expect([body.selection_digest, body.report_digest]).toEqual([rest.selection_digest, report_digest]);
  expect(headers.get('x-service-selection-digest')).toBe(rest.selection_digest);
  expect(headers.get('x-service-report-digest')).toBe(report_digest);
  const chinese = await report({ ...exact(scope), locale: 'zh-CN' });
  expect(chinese.selection_digest).toBe(rest.selection_digest);
  expect(chinese.report_digest).not.toBe(report_digest);
});

test('spec 30 §4.1: the headers and bodies of each form', async () => {
  const scope = await handedOff();
  const forms = [
    [{}, 'application/json', null, null],
    [{ download: true }, 'application/json', 'handoff-report.json', null],
    [{ format: 'markdown' }, 'text/markdown; charset=utf-8', null, 'en'],
    [
      { format: 'markdown', download: true, locale: 'zh-CN' },
      'text/markdown; charset=utf-8',
      'handoff-report.md',
      'zh-CN',
    ],
  ] as const;
  for (const [body, type, file, language] of forms) {
    const { status, headers } = await get({ ...exact(scope), ...body });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('content-disposition')).toBe(file && `attachment; filename="${file}"`);
    expect(headers.get('content-language')).toBe(language);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const alone = await get({ ...exact(scope), download: true });
  const whole = await get(exact(scope));
  expect(handoffReport.parse(alone.json)).toEqual((whole.json as { report: HandoffReport }).report);
  expect(alone.headers.get('x-service-report-digest')).toBe(whole.headers.get('x-service-report-digest'));
  const markdown = await get({ ...exact(scope), format: 'markdown' });
  const saved = await get({ ...exact(scope), format: 'markdown', download: true });
  expect(saved.text).toBe(markdown.text);
});

test('spec 30 scenario 28: of 25 revisions the history has the latest 20, ascending', async () => {
  const scope = await handedOff(25);
  const [entry] = (await report(exact(scope))).scopes;
  expect(entry?.handoff_revision_count).toBe(25);
  expect(entry?.handoff_history_truncated).toBe(true);
  expect(entry?.handoff_history.map(({ reference }) => reference.revision)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
  expect(entry?.handoff_history.at(-1)?.objective_excerpt).toBe('Objective 25');
});

test('spec 30 scenario 31: an unchanged selection is answered again, and each change makes another one', async () => {
  const scope = await handedOff();
  const first = await report(exact(scope));
  expect((await report(exact(scope))).generated_at).toBe(first.generated_at);
  await commit(scope, 1);
  const committed = await report(exact(scope));
  await service.call('update_scope', {
    params: { scope_id: scope },
    body: { title: 'Renamed', summary: 'Renamed.', expected_version: 1 },
  });
  const renamed = await report(exact(scope));
  await capture(service, scope, 'another');
  const captured = await report(exact(scope));
  const digests = [first, committed, renamed, captured].map(({ selection_digest }) => selection_digest);
  expect(new Set(digests).size).toBe(4);
  expect(captured.scopes[0]?.scope.title).toBe('Renamed');
});

test('spec 30 §4.7.2: Scopes whose ids only NFC makes equal have each a rendering of their own', async () => {
  const composed = freshScope('caf\u00e9');
  const scopes = [composed, composed.normalize('NFD')];
  for (const scope of scopes) {
    await ground(scope);
    await commit(scope, 0);
  }
  const first = [];
  for (const scope of scopes) first.push(await report(exact(scope)));
  expect(first.map(({ scope_ids }) => scope_ids)).toEqual(scopes.map((scope) => [scope]));
  expect(first[1]?.selection_digest).toBe(first[0]?.selection_digest);
  for (const [index, scope] of scopes.entries()) expect(await report(exact(scope))).toEqual(first[index]);
});

test('spec 30 §4.3.4: evidence is checked as in continue, and can be left out', async () => {
  const scope = freshScope();
  await ground(scope);
  const content = draft({ omissions: [{ text: 'Unknown.', citation: cite('gone') }] });
  await service.call('commit_handoff', { body: { scope_id: scope, handoff: prepared(scope, 0, content) } });
  const [checked] = (await report(exact(scope))).scopes;
  expect(checked?.evidence_checks).toEqual([
    { claim: 'state', state_index: 0, status: 'available', unavailable_evidence: [] },
  ]);
  expect(checked?.reporting_status).toBe('reported_with_omissions');
  const unchecked = await report({ ...exact(scope), include_evidence_checks: false });
  expect(unchecked.scopes[0]).toMatchObject({ evidence_checks: 'not_checked', evidence_unavailable: false });
  expect(unchecked.coverage.unchecked_evidence_workstreams).toBe(1);
});

test('spec 30 §3: a published Handoff keeps the evidence of the Scope that it came from', async () => {
  const scope = await handedOff();
  const target = freshScope();
  await capture(service, target, 'own');
  const artifact = { family: 'handoff', artifact_id: 'handoff', revision: 1 } as const;
  await service.call('publish_artifact', {
    body: { source: { scope_id: scope, artifact }, target_scope_id: target, idempotency_key: target },
  });
  const { scopes } = await report(exact(target));
  expect(scopes[0]?.evidence_checks).toMatchObject([{ status: 'available' }]);
  expect(stated('x', cite('y')).citations).toHaveLength(1);
});

test('spec 30 §4.3.1: the order of a selection is that of the resolver', async () => {
  const [one, two] = [`a-${freshScope()}`, `b-${freshScope()}`];
  for (const scope of [two, one]) await ground(scope);
  expect((await report(exact(two, one))).scope_ids).toEqual([one, two]);
  const { selection, end_selection, scopes, summary } = await report(exact(two, one));
  expect(selection).toEqual({ mode: 'exact', scope_ids: [one, two] });
  expect(
    end_selection.map(({ scope_id, status, source_position }) => [scope_id, status, source_position]),
  ).toEqual([
    [one, 'no_handoff', 1],
    [two, 'no_handoff', 1],
  ]);
  expect(
    scopes.map(({ status, evidence_checks, reporting_status }) => [
      status,
      evidence_checks,
      reporting_status,
    ]),
  ).toEqual([
    ['no_handoff', 'not_checked', 'no_handoff'],
    ['no_handoff', 'not_checked', 'no_handoff'],
  ]);
  expect(summary.no_handoff_count).toBe(2);
});

test('spec 30 scenario 10: contract, prepare, commit, accept and outcome show in the report', async () => {
  const scope = freshScope();
  await capture(service, scope, 'evidence');
  const { contract, handOff, acknowledge, outcome } = handoffCalls(service);
  await contract({
    scope_id: scope,
    source_id: 'contract',
    contract: { objective: 'Do it.', in_scope: ['It.'], completion_criteria: ['Done.'] },
  });
  const handoff = { objective: 'Done.', state: [{ text: 'Half.' }], disposition: 'blocked' as const };
  const made = await handOff({ scope_id: scope, source_id: 'boundary', handoff });
  await service.call('commit_handoff', { body: { scope_id: scope, handoff: made.body.handoff } });
  const revision = { family: 'handoff', artifact_id: 'handoff', revision: 1 };
  const confirmed = { live_state: 'confirmed', capability: 'confirmed', authorization: 'confirmed' } as const;
  await acknowledge({
    ...{ scope_id: scope, source_id: 'receipt', receiver: 'agent', status: 'accepted' },
    ...{ selection: 'exact', revision, receiver_checks: confirmed },
  });
  const record = {
    objective: 'Do it.',
    status: 'succeeded' as const,
    summary: 'Did.',
    observations: [{ text: 'Seen.' }],
  };
  await outcome({ scope_id: scope, source_id: 'unlinked', outcome: record });
  expect((await report(exact(scope))).scopes[0]?.continuity.coverage).toMatchObject({
    transfer_state: 'accepted',
    outcome_state: 'awaiting_outcome',
  });
  const handoff_receipt_ref = { name: 'content', source_id: 'receipt' };
  await outcome({ scope_id: scope, source_id: 'linked', outcome: { ...record, handoff_receipt_ref } });
  const [entry] = (await report(exact(scope))).scopes;
  expect(entry?.continuity.coverage).toMatchObject({ transfer_state: 'accepted', outcome_state: 'covered' });
  expect(entry?.continuity.events.map(({ status }) => status)).toEqual([
    'delegated',
    'blocked',
    'accepted',
    'succeeded',
    'succeeded',
  ]);
  // spec 30 scenario 11: a second revision has no receipt.
  await commit(scope, 1);
  expect((await report(exact(scope))).scopes[0]?.continuity.coverage.transfer_state).toBe('awaiting_receipt');
});

test('spec 30 scenarios 13 and 47: captured Sources that claim to be records count as invalid', async () => {
  const scope = await handedOff();
  const claim = (source_id: string, kind: string, content: string) =>
    service.send('POST', '/v1/sources/content', { scope_id: scope, source_id, content, metadata: { kind } });
  await claim('empty', 'task-outcome', '{}');
  await claim('text', 'task-outcome', '{"a":"\\ud800"}');
  await claim('nul', 'work-contract', '{"a":"\\u0000"}');
  await claim('deep', 'work-contract', `${'['.repeat(65)}${']'.repeat(65)}`);
  const receipt = {
    schema: 'service.handoff-receipt.v1',
    trust: 'untrusted_observation',
    receiver: 'x',
    status: 'accepted',
  };
  for (const source_id of ['first', 'second'])
    await claim(source_id, 'handoff-receipt', JSON.stringify(receipt));
  const [entry] = (await report(exact(scope))).scopes;
  expect(entry?.continuity).toMatchObject({ invalid_record_count: 6, total_event_count: 0, events: [] });
  expect(entry?.continuity.coverage.transfer_state).toBe('awaiting_receipt');
});

test('spec 30 §4.11: the page has the words of the Markdown, its headers and its policy', async () => {
  const scope = await handedOff();
  const { status, headers, text } = await view({ scope_id: scope, locale: 'zh-CN' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-language')).toBe('zh-CN');
  expect(text).toContain('<html lang="zh-CN">');
  const saved = await view({ scope_id: scope, download: 'true' });
  expect(saved.headers.get('content-disposition')).toBe('attachment; filename="handoff-report.html"');
  const root = await view({ root_scope_id: scope });
  expect(root.text).toContain('<code>subtree</code>');
  const head = await service.send('HEAD', `/reports/view?scope_id=${scope}`);
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('x-service-report-digest')).not.toBeNull();
});

test('spec 30 scenario 51: a query that selects nothing, or twice, is 422 with the name of the parameter', async () => {
  const time = '2026-10-01T00:00:00Z';
  const wrong: [string, string[]][] = [
    ['', ['project_id', 'scope_id', 'root_scope_id']],
    ['scope_id=a&project_id=b', ['project_id', 'scope_id', 'root_scope_id']],
    ['scope_id=a&scope_id=b', ['scope_id']],
    [`project_id=a&period_start=${time}`, ['period_start']],
    [`project_id=a&period_end=${time}`, ['period_end']],
    ['project_id=a&timezone=UTC', ['timezone']],
    ['scope_id=a&locale=fr', ['locale']],
    ['scope_id=a&locale=', ['locale']],
    ['scope_id=a&include_archived=true', ['include_archived']],
    [`project_id=a&period_start=${time}&period_end=${time}`, ['period_start']],
    ['project_id=a&include_evidence_checks=1', ['include_evidence_checks']],
  ];
  for (const [query, paths] of wrong) {
    const { status, json, headers } = await service.send('GET', `/reports/view?${query}`);
    expect([query, status, issuePaths(json)]).toEqual([query, 422, paths]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  const posted = await service.send('POST', '/reports/view', {});
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const unknown = await service.send('GET', '/reports/view?scope_id=a&unknown=1');
  expect(unknown.status).toBe(404);
  const token = 'a-token-of-the-default-tenant';
  const guarded = await startSecondGateway({
    ...service,
    settings: { ...service.settings, AUTH_TOKEN: token },
  });
  try {
    const path = '/reports/view?scope_id=a';
    expect((await guarded.send('GET', `${path}&token=${token}&access_token=${token}`)).status).toBe(401);
    const known = await guarded.send('GET', path, undefined, { authorization: `Bearer ${token}` });
    expect(known.status).toBe(404);
  } finally {
    await guarded.stop();
  }
});

test('spec 30 §4.12.7: a report job has no Scope, and its result is the whole response', async () => {
  const scope = await handedOff();
  for (const format of ['json', 'markdown'] as const) {
    const accepted = await get({ ...exact(scope), format, download: true }, { prefer: 'respond-async' });
    const { job_id } = accepted.json as { job_id: string };
    expect(accepted.status).toBe(202);
    const answered = await get({ ...exact(scope), format });
    const job = (await service.call('get_job', { params: { job_id } })).body;
    expect(job).toMatchObject({
      operation: 'get_handoff_report',
      queue: 'report-render',
      scope_id: null,
      status: 'succeeded',
    });
    const result = job.result as { markdown: string | null };
    if (format === 'json') expect(result).toEqual(answered.json);
    else expect(result.markdown).toBe(answered.text);
  }
});
