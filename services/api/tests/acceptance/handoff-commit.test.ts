import { afterAll, expect, test } from 'vitest';
import { artifactCalls } from '../support/artifacts.ts';
import { cite, draft, handoffCalls, handoffRef, prepared, stated } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race, remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();
const calls = handoffCalls(service);

afterAll(() => service.stop());

const commitRaw = (scope_id: string, handoff: unknown) =>
  service.send('POST', '/v1/handoff/commit', { scope_id, handoff });
const continueRaw = (scope_id: string, fields: object) =>
  service.send('POST', '/v1/handoff/continue', { scope_id, ...fields });
const finalizeRaw = (scope_id: string, value: object) =>
  service.send('POST', '/v1/handoff/finalize', { scope_id, draft: value });

/** Revisions of a Scope's Handoff in order, with the times of their commits. */
const history = (scope_id: string) =>
  query<{ revision: number; at: Date; head: number }>(
    service.databaseUrl,
    `SELECT r.revision, r.created_at AS at, a.head_revision AS head
     FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN artifact_revisions r USING (tenant_id, artifact_key)
     WHERE c.scope_id = $1 AND a.family = 'handoff' ORDER BY r.revision`,
    [scope_id],
  );

test('spec 30 scenario 14: omissions are not checked, statements are, and nothing is stored', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const created = await artifactCalls(service).create(scope, [{ kind: 'fact', text: 'a wall' }]);
  const lineage = cite(created.body.sources[0]?.source_id ?? '');
  const omission = { text: 'Not found.', citation: cite('missing') };
  const finalized = await calls.finalize(scope, draft({ omissions: [omission] }));
  expect(finalized.body).toEqual(prepared(scope, 0, { omissions: [omission] }));
  const missing = await calls.finalize(scope, draft({ state: [stated('a', lineage, cite('missing'))] }));
  expect([missing.status, missing.error?.details]).toEqual([404, { citations: [cite('missing')] }]);
  const ineligible = await calls.finalize(
    scope,
    draft({ next_action: stated('a', cite('evidence'), lineage) }),
  );
  expect([ineligible.status, ineligible.error?.code, ineligible.error?.details]).toEqual([
    422,
    'source_not_eligible',
    { source_ref: { name: 'content', source_id: created.body.sources[0]?.source_id } },
  ]);
  expect(await calls.nextPosition(scope)).toBe(3);
  expect((await calls.latest(scope)).body.status).toBe('empty');
});

test('spec 30 §8.1: absent fields of a draft get their defaults', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const { next_action: _next, omissions: _omissions, ...short } = draft();
  const reply = await finalizeRaw(scope, { ...short, omissions: [{ text: 'x' }] });
  expect(reply.json).toEqual(prepared(scope, 0, { omissions: [{ text: 'x', citation: null }] }));
  const { next_action: _required, ...content } = prepared(scope, 0).content;
  expectIssues(await commitRaw(scope, { ...prepared(scope, 0), content }), ['handoff.content.next_action']);
});

test('spec 30 scenario 15: a Prepared Handoff committed twice is one revision', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const { memory, entry } = await remember(service, scope, 'a wall');
  const cited = { kind: 'memory', memory_citation: entry.citation } as const;
  const state = [
    stated('a', cited, cite('evidence')),
    stated('b', cite('evidence'), { kind: 'artifact', artifact_ref: memory }),
  ];
  const replies = await race(8, () => calls.commit(scope, prepared(scope, 0, { state })));
  expect(countStatuses(replies)).toEqual({ 200: 8 });
  for (const { body } of replies) {
    expect(body).toEqual({
      reference: handoffRef(1),
      content: prepared(scope, 0, { state }).content,
      source_refs: [{ name: 'content', source_id: 'evidence' }],
      artifact_refs: [memory],
    });
  }
  expect(await history(scope)).toHaveLength(1);
  // A commit adds no Source of its own.
  expect(await calls.nextPosition(scope)).toBe(2);
});

test('spec 30 §3.6.2: content equal to an older revision only is an ordinary commit', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const [first, second] = [prepared(scope, 0), prepared(scope, 1, { objective: 'Other.' })];
  await calls.commit(scope, first);
  await calls.commit(scope, second);
  expect((await calls.commit(scope, { ...second, base: null })).body.reference).toEqual(handoffRef(2));
  expect((await calls.commit(scope, first)).status).toBe(409);
  expect((await calls.commit(scope, { ...first, base: handoffRef(2) })).body.reference).toEqual(
    handoffRef(3),
  );
});

test('spec 30 scenario 16: of two contents on one head the second is 409 with the head', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const finalized = await Promise.all(
    ['A', 'B'].map(async (objective) => (await calls.finalize(scope, draft({ objective }))).body),
  );
  const [a, b] = finalized;
  if (a === undefined || b === undefined) throw new Error('Two were finalized.');
  expect((await calls.commit(scope, a)).status).toBe(200);
  const late = await calls.commit(scope, b);
  expect([late.status, late.error?.code, late.error?.details]).toEqual([
    409,
    'revision_conflict',
    { expected: null, current: handoffRef(1) },
  ]);
  expect(await history(scope)).toHaveLength(1);
});

test('spec 30 §3.6: the head is looked at before the evidence', async () => {
  const scope = freshScope();
  const missing = { state: [stated('a', cite('missing'))] };
  const statusOf = async (base: number) => {
    const { status, error } = await calls.commit(scope, prepared(scope, base, missing));
    return [status, error?.details];
  };
  expect(await statusOf(3)).toEqual([409, { expected: handoffRef(3), current: null }]);
  expect(await statusOf(0)).toEqual([404, { citations: [cite('missing')] }]);
  const scopes = await query(service.databaseUrl, 'SELECT FROM scopes WHERE scope_id = $1', [scope]);
  expect(scopes).toEqual([]);
});

test('spec 30 scenario 17: in each round one of 20 contents on one base succeeds', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  for (let base = 0; base < 3; base += 1) {
    const replies = await race(20, (index) =>
      calls.commit(scope, prepared(scope, base, { objective: `${base} ${index}` })),
    );
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 19 });
    for (const { error } of replies) {
      const details = { expected: base === 0 ? null : handoffRef(base), current: handoffRef(base + 1) };
      if (error !== undefined) expect(error.details).toEqual(details);
    }
  }
  expect((await history(scope)).map(({ revision }) => revision)).toEqual([1, 2, 3]);
});

// RACE_COMMITS=2000 is the whole of it; fewer show the same in a run of all tests.
const commits = Number(process.env['RACE_COMMITS'] ?? 400);

test(`racing: 50 clients and ${commits} commits make one line of revisions`, {
  timeout: 300_000,
}, async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const winners: number[] = [];
  let sent = 0;
  await race(50, async (client) => {
    let base = 0;
    while (sent < commits) {
      sent += 1;
      const value = prepared(scope, base, { objective: `of ${client}, number ${sent}` });
      const { status, body, error } = await keep(calls.commit(scope, value));
      if (status === 200) {
        expect(body?.reference).toEqual(handoffRef(base + 1));
        winners.push(base + 1);
        base += 1;
      } else {
        expect([status, error?.code]).toEqual([409, 'revision_conflict']);
        const current = error?.details['current'] as ReturnType<typeof handoffRef>;
        expect(current.revision).toBeGreaterThan(base);
        base = current.revision;
      }
    }
  });
  const rows = await history(scope);
  const line = rows.map((_, index) => index + 1);
  expect(rows.map(({ revision }) => revision)).toEqual(line);
  expect(winners.toSorted((left, right) => left - right)).toEqual(line);
  expect(rows.at(-1)?.head).toBe(rows.length);
  const times = rows.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((left, right) => left - right));
});

/** The answer as a value: reading the body of an error would throw. */
async function keep(call: ReturnType<typeof calls.commit>) {
  const reply = await call;
  const { status, error } = reply;
  return { status, error, body: error === undefined ? reply.body : undefined };
}

test('spec 30 scenario 18: a Prepared Handoff of another Scope, or on another Artifact, is 422', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const foreign = prepared(freshScope(), 0);
  expectIssues(await commitRaw(scope, foreign), ['handoff.scope_id']);
  expectIssues(await continueRaw(scope, { selection: 'prepared', prepared: foreign }), ['prepared.scope_id']);
  const base = { family: 'memory', artifact_id: 'memory', revision: 1 };
  const paths = ['family', 'artifact_id'];
  expectIssues(
    await commitRaw(scope, { ...prepared(scope, 0), base }),
    paths.map((path) => `handoff.base.${path}`),
  );
  expectIssues(
    await continueRaw(scope, { selection: 'prepared', prepared: { ...prepared(scope, 0), base } }),
    paths.map((path) => `prepared.base.${path}`),
  );
});

test('spec 30 §3.7.1: each selection takes exactly its own field', async () => {
  const scope = freshScope();
  expectIssues(await continueRaw(scope, { selection: 'prepared' }), ['prepared']);
  expectIssues(await continueRaw(scope, { selection: 'exact' }), ['revision']);
  expectIssues(
    await continueRaw(scope, { selection: 'latest', revision: handoffRef(1), prepared: prepared(scope, 0) }),
    ['prepared', 'revision'],
  );
  expectIssues(
    await continueRaw(scope, { selection: 'exact', revision: handoffRef(1), prepared: prepared(scope, 0) }),
    ['prepared'],
  );
  expectIssues(await continueRaw(scope, { selection: 'newest' }), ['selection']);
});

test('spec 30 scenario 19: latest is empty without a Handoff; an older revision is returned beside the head', async () => {
  const scope = freshScope();
  expect((await calls.latest(scope)).body).toEqual({
    trust: 'untrusted_history',
    status: 'empty',
    scope_id: scope,
    content: null,
    selection: null,
    selected_revision: null,
    current_revision: null,
    evidence_checks: [],
  });
  await calls.ground(scope);
  const [first, second] = [prepared(scope, 0), prepared(scope, 1, { objective: 'Second.' })];
  await calls.commit(scope, first);
  await calls.commit(scope, second);
  expect((await calls.exact(scope, 1)).body).toMatchObject({
    status: 'resolved',
    content: first.content,
    selection: 'exact',
    selected_revision: handoffRef(1),
    current_revision: handoffRef(2),
  });
  expect((await calls.latest(scope)).body).toMatchObject({
    content: second.content,
    selection: 'latest',
    selected_revision: handoffRef(2),
    current_revision: handoffRef(2),
  });
  const unknown = await calls.exact(scope, Number.MAX_SAFE_INTEGER);
  expect([unknown.status, unknown.error?.code]).toEqual([404, 'artifact_not_found']);
});

test('spec 30 scenario 20: a missing Citation makes only its statement unavailable', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await capture(service, scope, 'other');
  const created = await artifactCalls(service).create(scope, [{ kind: 'fact', text: 'a wall' }]);
  const lineage = cite(created.body.sources[0]?.source_id ?? '');
  const value = prepared(scope, 0, {
    state: [
      stated('a', cite('evidence'), cite('other')),
      stated('b', cite('missing'), cite('evidence'), cite('missing')),
    ],
    next_action: stated('c', cite('other')),
    omissions: [{ text: 'd', citation: cite('missing') }],
  });
  const { body } = await calls.resume(scope, value);
  expect(body).toMatchObject({
    status: 'resolved',
    selection: 'prepared',
    selected_revision: null,
    current_revision: null,
  });
  const available = { status: 'available', unavailable_evidence: [] };
  expect(body.evidence_checks).toEqual([
    { claim: 'state', state_index: 0, ...available },
    { claim: 'state', state_index: 1, status: 'unavailable', unavailable_evidence: [cite('missing')] },
    { claim: 'next_action', state_index: null, ...available },
  ]);
  const systemOnly = await calls.resume(scope, prepared(scope, 0, { state: [stated('a', lineage)] }));
  expect(systemOnly.body.evidence_checks).toMatchObject([
    { status: 'unavailable', unavailable_evidence: [lineage] },
  ]);
});

test('spec 30 §1.3: texts come back exactly as they were sent', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  const text = ' \uFEFF line\r\nline\u2028e\u0301 \u00e9 \u202e\t"\\/ \u007f __proto__ ';
  const value = prepared(scope, 0, {
    objective: text,
    state: [stated(text, cite('evidence'))],
    omissions: [{ text, citation: null }],
  });
  await calls.commit(scope, value);
  expect((await calls.latest(scope)).body.content).toEqual(value.content);
});

test.each([
  [
    'a second reference',
    { state: [{ text: 'a', citations: [{ ...cite('x'), artifact_ref: handoffRef(1) }] }] },
    'draft.state[0].citations[0].artifact_ref',
  ],
  ['no Citation', { state: [{ text: 'a', citations: [] }] }, 'draft.state[0].citations'],
  [
    '33 Citations',
    { state: [{ text: 'a', citations: Array(33).fill(cite('x')) }] },
    'draft.state[0].citations',
  ],
  ['65 statements', { state: Array(65).fill(stated('a', cite('x'))) }, 'draft.state'],
  ['a NUL', { objective: 'a\0b' }, 'draft.objective'],
  ['a lone surrogate', { objective: '\ud800' }, 'draft.objective'],
  ['white space only', { objective: ' \u3000' }, 'draft.objective'],
  ['a schema', { schema: 'service.handoff.v1' }, 'draft.schema'],
])('spec 30 §3: a draft with %s is 422', async (_name, change, path) => {
  expectIssues(await finalizeRaw(freshScope(), { ...draft(), ...change }), [path]);
});
