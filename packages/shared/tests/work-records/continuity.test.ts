import { workContinuity } from '@continuity/contract/work';
import { expect, test } from 'vitest';
import { openOwnDatabase } from '../support/database.ts';
import { contract, outcome, workOf } from './support.ts';

const { database, tenantId } = await openOwnDatabase('continuity', 4);

test('spec 30 scenarios 10 and 11: from delegation to a covered result, and back with the next revision', async () => {
  const work = workOf(database, tenantId);
  await work.contract();
  expect((await work.continuity(null)).coverage).toMatchObject({
    contract_records: 1,
    transfer_state: 'not_applicable',
    outcome_state: 'not_expected',
  });
  await work.commit(undefined, 'One.');
  expect((await work.continuity(1)).coverage.transfer_state).toBe('awaiting_receipt');
  await work.acknowledge({
    revision: work.ref(1),
    status: 'declined',
    message: 'Not mine.',
    receiver_checks: null,
  });
  expect((await work.continuity(1)).coverage).toMatchObject({
    transfer_state: 'declined',
    outcome_state: 'not_expected',
    active_receipt_ref: null,
  });
  const receipt = await work.acknowledge({ revision: work.ref(1) });
  await work.outcome();
  expect((await work.continuity(1)).coverage).toMatchObject({
    transfer_state: 'accepted',
    outcome_state: 'awaiting_outcome',
    active_receipt_ref: receipt,
    handoff_result_covered: false,
  });
  await work.outcome({ handoff_receipt_ref: receipt });
  const covered = await work.continuity(1);
  expect(workContinuity.parse(covered)).toEqual(covered);
  expect(covered).toMatchObject({
    total_event_count: 6,
    invalid_record_count: 0,
    coverage: {
      contract_records: 1,
      handoff_records: 1,
      acknowledgement_records: 2,
      outcome_records: 2,
      outcome_state: 'covered',
      handoff_result_covered: true,
    },
  });
  expect(
    covered.events.map(({ position, kind, status, summary, actor }) => [
      position,
      kind,
      status,
      summary,
      actor,
    ]),
  ).toEqual([
    [1, 'work-contract', 'delegated', 'Build.', null],
    [2, 'handoff-boundary', 'blocked', 'One.', null],
    [3, 'handoff-receipt', 'declined', 'Not mine.', 'agent-b'],
    [4, 'handoff-receipt', 'accepted', null, 'agent-b'],
    [5, 'task-outcome', 'failed', 'The wall fell.', null],
    [6, 'task-outcome', 'failed', 'The wall fell.', null],
  ]);
  expect(covered.events.at(-1)?.handoff_receipt_ref).toEqual(receipt);
  expect((await work.continuity(1, 5)).coverage.outcome_state).toBe('awaiting_outcome');
  await work.commit(1, 'Two.');
  expect((await work.continuity(2)).coverage).toMatchObject({
    transfer_state: 'awaiting_receipt',
    outcome_state: 'not_expected',
  });
});

test('spec 30 §2.7.3: a receipt of a prepared value never counts for a revision', async () => {
  const work = workOf(database, tenantId);
  await work.commit(undefined, 'One.');
  const { handoff } = await work.boundary();
  await work.acknowledge({ selection: 'prepared', prepared: handoff, revision: null });
  const { coverage, events } = await work.continuity(1);
  expect(coverage).toMatchObject({ acknowledgement_records: 1, transfer_state: 'awaiting_receipt' });
  expect(events.at(-1)).toMatchObject({ selected_revision: null, status: 'accepted' });
});

test('spec 30 §2.7.4: an outcome of another type or Source with the name of the receipt covers nothing', async () => {
  const work = workOf(database, tenantId);
  await work.commit(undefined, 'One.');
  const early = { ...outcome, handoff_receipt_ref: { name: 'content', source_id: 'record-3' } };
  await work.captured('task-outcome', JSON.stringify(early));
  const receipt = await work.acknowledge({ revision: work.ref(1) });
  expect(receipt.source_id).toBe('record-3');
  const other = { ...outcome, handoff_receipt_ref: { ...receipt, name: 'other' } };
  await work.captured('task-outcome', JSON.stringify(other));
  expect((await work.continuity(1)).coverage.outcome_state).toBe('awaiting_outcome');
  await work.captured('task-outcome', JSON.stringify({ ...outcome, handoff_receipt_ref: receipt }));
  expect((await work.continuity(1)).coverage.outcome_state).toBe('covered');
});

const deep = `${'['.repeat(65)}${']'.repeat(65)}`;

test.each([
  ['an empty object', 'task-outcome', '{}'],
  ['no JSON', 'task-outcome', 'succeeded'],
  ['an array', 'work-contract', '[]'],
  ['null', 'work-contract', 'null'],
  ['a number', 'work-contract', '7'],
  ['an unknown field', 'work-contract', JSON.stringify({ ...contract, owner: 'me' })],
  ['another schema', 'work-contract', JSON.stringify({ ...contract, schema: 'service.work-contract.v2' })],
  ['the fields of another kind', 'handoff-boundary', JSON.stringify(contract)],
  [
    'evidence of what is declared',
    'work-contract',
    JSON.stringify({
      ...contract,
      facts: [{ text: 'a', evidence: [{ kind: 'source', source_ref: { name: 'content', source_id: 'x' } }] }],
    }),
  ],
  [
    'no evidence of what is verified',
    'work-contract',
    JSON.stringify({ ...contract, facts: [{ text: 'a', basis: 'verified' }] }),
  ],
  ['a lone surrogate', 'work-contract', JSON.stringify({ ...contract, objective: '\ud800' })],
  ['a NUL', 'work-contract', JSON.stringify({ ...contract, objective: 'a\u0000b' })],
  ['65 levels', 'work-contract', JSON.stringify(contract).replace('[]', deep)],
  [
    'more levels than the stack holds',
    'work-contract',
    `{"facts":${'['.repeat(90_000)}${']'.repeat(90_000)}}`,
  ],
  ['a number beyond doubles', 'work-contract', JSON.stringify(contract).replace('[]', '[1e999]')],
  ['100,000 values', 'work-contract', `{"in_scope":[${'1,'.repeat(99_990)}1]}`],
  ['a receipt as acknowledge writes it', 'handoff-receipt', JSON.stringify(contract)],
])(
  'spec 30 scenarios 13 and 47: a captured record with %s counts as invalid, and nowhere else',
  async (_what, kind, content) => {
    const work = workOf(database, tenantId);
    await work.captured(kind, content);
    await work.contract();
    const continuity = await work.continuity(null);
    expect(continuity).toMatchObject({ total_event_count: 1, invalid_record_count: 1, truncated: false });
    expect(continuity.events.map(({ position }) => position)).toEqual([2]);
  },
);

test('spec 30 §2.7.1: a captured record may lack constants and empty lists; a Source of another kind is ignored', async () => {
  const work = workOf(database, tenantId);
  const { objective, in_scope, completion_criteria } = contract;
  await work.captured('work-contract', JSON.stringify({ objective, in_scope, completion_criteria }));
  await work.captured('toString', '{}');
  await work.captured('note', '{}');
  const continuity = await work.continuity(null);
  expect(continuity).toMatchObject({ total_event_count: 1, invalid_record_count: 0 });
  expect(continuity.events[0]).toMatchObject({
    kind: 'work-contract',
    record_schema: 'service.work-contract.v1',
    status: 'delegated',
  });
});

test('spec 30 §2.2.4: records that race count once each, in the order of their positions', async () => {
  const work = workOf(database, tenantId);
  const bodies = Array.from({ length: 40 }, (_, index) => `Build ${index % 20}.`);
  await Promise.all(bodies.map((objective) => work.contract({ objective })));
  await work.captured('work-contract', '{}');
  const { total_event_count, invalid_record_count, events } = await work.continuity(null);
  expect([total_event_count, invalid_record_count]).toEqual([40, 1]);
  expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  for (const through of [0, 1, 17, 40]) {
    expect((await work.continuity(null, through)).total_event_count).toBe(through);
  }
});
