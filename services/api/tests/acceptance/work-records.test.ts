import { afterAll, expect, test } from 'vitest';
import { allConfirmed, cite, handoffCalls, handoffRef, prepared } from '../support/handoff.ts';
import { countStatuses, expectIssues, freshScope, race, remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';

const service = await startService();
const calls = handoffCalls(service);

afterAll(() => service.stop());

const contract = { objective: 'Build.', in_scope: ['walls'], completion_criteria: ['it stands'] };
const observed = {
  objective: 'Build.',
  status: 'partial',
  summary: 'Half.',
  observations: [{ text: 'Seen.' }],
};
const post = (path: string, body: unknown) => service.send('POST', path, body);
const create = (scope_id: string, value: object, source_id = 'contract') =>
  post('/v1/work/contracts/create', { scope_id, source_id, contract: { ...contract, ...value } });
const record = (scope_id: string, value: object, source_id = 'outcome') =>
  post('/v1/work/outcomes/record', { scope_id, source_id, outcome: { ...observed, ...value } });

const nothing = async (scope_id: string, source_id: string) =>
  expect((await readSource(service, scope_id, source_id)).status).toBe(404);

test('spec 30 scenario 1: declared with evidence and verified without are 422, all of them told, and store nothing', async () => {
  const scope = freshScope();
  const facts = [
    { text: 'a', evidence: [cite('x')] },
    { text: 'b', basis: 'verified' },
    { text: 'c' },
    { text: 'd', basis: 'declared', evidence: [cite('x'), cite('y')] },
  ];
  const paths = [0, 1, 3].map((index) => `contract.facts[${index}].evidence`);
  expectIssues(await create(scope, { facts }), paths);
  await nothing(scope, 'contract');
  expectIssues(
    await record(scope, {
      observations: [{ text: 'a', basis: 'verified' }],
      checks: [{ name: 'n', status: 'passed', evidence: [cite('x')] }],
    }),
    ['outcome.observations[0].evidence', 'outcome.checks[0].evidence'],
  );
  expect(await calls.nextPosition(scope)).toBe(1);
});

test('spec 30 scenario 2: evidence of another Scope is 404 and listed, each once and in order', async () => {
  const [here, there] = [freshScope('here'), freshScope('there')];
  await capture(service, there, 'seen');
  const { entry } = await remember(service, there, 'remembered there');
  const memory = { kind: 'memory', memory_citation: entry.citation };
  const evidence = [
    cite('seen'),
    memory,
    cite('seen'),
    { ...cite('seen'), source_ref: { name: 'no such type', source_id: 'seen' } },
  ];
  const reply = await create(here, { facts: [{ text: 'a', basis: 'verified', evidence }] });
  expect(reply).toMatchObject({ status: 404, json: { error: { code: 'handoff_evidence_not_found' } } });
  expect((reply.json as { error: { details: unknown } }).error.details).toEqual({
    citations: [evidence[0], evidence[1], evidence[3]],
  });
  await nothing(here, 'contract');
  expect(
    (await create(there, { facts: [{ text: 'a', basis: 'verified', evidence: [cite('seen'), memory] }] }))
      .status,
  ).toBe(202);
});

test('spec 30 scenario 3: the same contract answers as the first time, one other word is 409', async () => {
  const scope = freshScope();
  const body = { scope_id: scope, source_id: 'one', contract };
  const replies = await race(20, () => calls.contract(body));
  expect(countStatuses(replies)).toEqual({ 202: 20 });
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  const [first] = replies;
  expect(first?.body).toMatchObject({ kind: 'work-contract', position: 1 });
  const spelledOut = {
    ...contract,
    schema: 'service.work-contract.v1' as const,
    trust: 'untrusted_input' as const,
    facts: [],
    exclusions: [],
  };
  expect((await calls.contract({ ...body, contract: spelledOut })).body).toEqual(first?.body);
  const other = await calls.contract({ ...body, contract: { ...contract, objective: 'Build!' } });
  expect([other.status, other.error]).toMatchObject([
    409,
    {
      code: 'source_conflict',
      details: {
        current: { source: first?.body.source, position: 1, content_digest: first?.body.content_digest },
      },
    },
  ]);
  expect(await calls.nextPosition(scope)).toBe(2);
});

test('spec 30 §2.2.4: an ordinary Source, and a record of another kind, is 409 under any record', async () => {
  const scope = freshScope();
  await capture(service, scope, 'one', JSON.stringify(contract));
  await calls.contract({ scope_id: scope, source_id: 'two', contract });
  const statuses = [
    await create(scope, {}, 'one'),
    await record(scope, {}, 'one'),
    await record(scope, {}, 'two'),
    await post('/v1/sources/content', {
      scope_id: scope,
      source_id: 'two',
      content: JSON.stringify(contract),
    }),
  ].map(({ status, json }) => [status, (json as { error: { code: string } }).error.code]);
  expect(statuses).toEqual(Array(4).fill([409, 'source_conflict']));
});

test('spec 30 §2.2.3: identity comes before evidence, and a repeat does not look at its evidence', async () => {
  const scope = freshScope();
  await capture(service, scope, 'taken');
  const missing = { facts: [{ text: 'a', basis: 'verified', evidence: [cite('missing')] }] };
  expect((await create(scope, missing, 'taken')).status).toBe(409);
  expect((await create(scope, missing, 'free')).status).toBe(404);
});

test('spec 30 scenario 4: the Source has the record with every default', async () => {
  const scope = freshScope();
  const { body } = await calls.contract({ scope_id: scope, source_id: 'one', contract });
  const source = await readSource(service, scope, 'one');
  expect(source.body).toEqual({
    scope_id: scope,
    source_type: 'content',
    source_id: 'one',
    content: {
      schema: 'service.work-contract.v1',
      trust: 'untrusted_input',
      ...contract,
      facts: [],
      exclusions: [],
      authorization_notes: [],
      open_questions: [],
    },
    position: body.position,
    content_digest: body.content_digest,
    occurred_at: null,
  });
});

test.each([
  ['an item twice', { in_scope: ['walls', 'roof', 'walls'] }, 'contract.in_scope'],
  ['white space at an end', { objective: 'Build. ' }, 'contract.objective'],
  ['U+0085 at an end', { objective: '\u0085Build.' }, 'contract.objective'],
  ['another constant', { schema: 'service.work-contract.v2' }, 'contract.schema'],
  ['another trust', { trust: 'trusted' }, 'contract.trust'],
  ['an unknown field', { owner: 'me' }, 'contract.owner'],
  ['no scope at all', { in_scope: [] }, 'contract.in_scope'],
  ['8,193 characters', { objective: 'x'.repeat(8193) }, 'contract.objective'],
  [
    'a second reference',
    { facts: [{ text: 'a', basis: 'verified', evidence: [{ ...cite('x'), artifact_ref: handoffRef(1) }] }] },
    'contract.facts[0].evidence[0].artifact_ref',
  ],
  [
    'an unknown kind',
    { facts: [{ text: 'a', basis: 'verified', evidence: [{ ...cite('x'), kind: 'web' }] }] },
    'contract.facts[0].evidence[0].kind',
  ],
  [
    'revision 0',
    {
      facts: [
        { text: 'a', basis: 'verified', evidence: [{ kind: 'artifact', artifact_ref: handoffRef(0) }] },
      ],
    },
    'contract.facts[0].evidence[0].artifact_ref.revision',
  ],
])('spec 30 §1: a contract with %s is 422', async (_name, value, path) => {
  expectIssues(await create(freshScope(), value), [path]);
});

test('spec 30 §2.2.1: a record over 1,048,576 bytes is 422', async () => {
  const scope = freshScope();
  const facts = Array.from({ length: 64 }, (_, index) => ({ text: `${index}${'é'.repeat(8100)}` }));
  const in_scope = facts.map(({ text }) => text);
  expectIssues(await create(scope, { facts, in_scope }), ['contract']);
  expect((await create(scope, { facts })).status).toBe(202);
});

test('spec 30 §1: evidence that no database could hold is unreadable, not an error', async () => {
  const memory = (change: object) => ({
    kind: 'memory',
    memory_citation: {
      memory_ref: { family: 'memory', artifact_id: 'memory', revision: 1 },
      entry_id: 'e',
      entry_version_id: 'v',
      ...change,
    },
  });
  const scope = freshScope();
  const { entry } = await remember(service, scope, 'something');
  const real = entry.citation;
  const evidence = [
    memory({}),
    memory({ entry_id: "'; DROP TABLE sources; --".replaceAll(' ', '_') }),
    memory({ ...real, entry_id: real.entry_id.toUpperCase() }),
    memory({ ...real, memory_ref: { ...real.memory_ref, revision: Number.MAX_SAFE_INTEGER } }),
    memory({ ...real, memory_ref: { ...real.memory_ref, family: 'handoff' } }),
    memory({ ...real, entry_version_id: real.entry_id }),
    {
      kind: 'artifact',
      artifact_ref: { family: 'nothing', artifact_id: '\u007e', revision: Number.MAX_SAFE_INTEGER },
    },
    cite('\u{1F9E0}'.repeat(256)),
    cite("x', 'y"),
  ];
  const reply = await create(scope, { facts: [{ text: 'a', basis: 'verified', evidence }] });
  expect(reply.status).toBe(404);
  expect(reply.json).toMatchObject({ error: { details: { citations: evidence } } });
});

test('spec 30 §1.4: a Memory Citation is of the exact entry version in the exact revision, active or not', async () => {
  const scope = freshScope();
  const { entry } = await remember(service, scope, 'first form');
  const { body } = await service.call('revise_memory_entry', {
    body: { scope_id: scope, citation: entry.citation, kind: 'fact', text: 'second form' },
  });
  const first = entry.citation;
  const second = body.entry?.citation ?? first;
  const retired = await service.call('retire_memory_entry', { body: { scope_id: scope, citation: second } });
  const mixed = { ...first, memory_ref: second.memory_ref };
  const citing = (citation: object) => [
    { text: 'a', basis: 'verified', evidence: [{ kind: 'memory', memory_citation: citation }] },
  ];
  const status = async (citation: object, id: string) =>
    (await create(scope, { facts: citing(citation) }, id)).status;
  expect(await status(first, '1')).toBe(202);
  expect(await status(second, '2')).toBe(202);
  expect(await status({ ...second, memory_ref: retired.body.memory }, '3')).toBe(202);
  expect(await status(mixed, '4')).toBe(404);
  expect(await status({ ...second, memory_ref: first.memory_ref }, '5')).toBe(404);
});

test('spec 30 scenario 12: an outcome names the receipt of an accepted exact revision, else 422', async () => {
  const scope = freshScope();
  await calls.ground(scope);
  await calls.commit(scope, prepared(scope, 0));
  const base = { scope_id: scope, receiver: 'b', receiver_checks: allConfirmed } as const;
  await calls.acknowledge({
    ...base,
    source_id: 'exact',
    status: 'accepted',
    selection: 'exact',
    revision: handoffRef(1),
  });
  await calls.acknowledge({
    ...base,
    source_id: 'value',
    status: 'accepted',
    selection: 'prepared',
    prepared: prepared(scope, 1),
  });
  await calls.acknowledge({
    ...base,
    source_id: 'declined',
    status: 'declined',
    selection: 'exact',
    revision: handoffRef(1),
    message: 'No.',
  });
  const receipt = await readSource(service, scope, 'exact');
  await service.call('capture_content_source', {
    body: {
      scope_id: scope,
      source_id: 'by hand',
      content: JSON.stringify(receipt.body.content),
      metadata: { kind: 'handoff-receipt', schema: 'service.handoff-receipt.v1' },
    },
  });
  const ref = (source_id: string, name = 'content') => ({ handoff_receipt_ref: { name, source_id } });
  for (const wrong of ['value', 'declined', 'unknown', 'evidence', 'by hand']) {
    expectIssues(await record(scope, ref(wrong)), ['outcome.handoff_receipt_ref']);
  }
  expectIssues(await record(scope, ref('exact', 'other')), ['outcome.handoff_receipt_ref']);
  expect((await record(scope, { ...ref('exact'), status: 'failed' })).status).toBe(202);
  expect((await record(scope, { ...ref('exact'), status: 'failed' })).status).toBe(202);
  // Identity before the rules on the receipt; missing evidence too.
  expect((await record(scope, ref('unknown'))).status).toBe(409);
  const missing = { observations: [{ text: 'a', basis: 'verified', evidence: [cite('missing')] }] };
  expect((await record(scope, { ...ref('unknown'), ...missing }, 'other')).status).toBe(404);
});

test('spec 30 §2.6.1, §8.4: an unreadable produced Artifact is listed as an Artifact Citation', async () => {
  const scope = freshScope();
  const { memory } = await remember(service, scope, 'something');
  const produced = [memory, { ...memory, revision: 9 }, handoffRef(1)];
  const reply = await record(scope, { produced_artifacts: produced });
  expect(reply).toMatchObject({
    status: 404,
    json: {
      error: {
        details: { citations: [1, 2].map((at) => ({ kind: 'artifact', artifact_ref: produced[at] })) },
      },
    },
  });
  expect((await record(scope, { produced_artifacts: [memory] })).status).toBe(202);
});

test('spec 30 §2.1: a check keeps its status, and a claim its basis', async () => {
  const scope = freshScope();
  const statuses = ['passed', 'failed', 'skipped', 'timed_out', 'unavailable', 'cancelled', 'unknown'];
  const checks = statuses.map((status) => ({ name: status, status }));
  expect((await record(scope, { status: 'failed', checks })).status).toBe(202);
  const { body } = await readSource(service, scope, 'outcome');
  expect(body.content).toMatchObject({
    status: 'failed',
    checks: checks.map((check) => ({ ...check, basis: 'declared', details: null, evidence: [] })),
  });
});
