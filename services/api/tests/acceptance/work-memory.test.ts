import { afterAll, expect, test } from 'vitest';
import { allConfirmed, cite, handoffCalls, handoffRef } from '../support/handoff.ts';
import { startService } from '../support/service.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const calls = handoffCalls(service);

afterAll(() => service.stop());

test('spec 20 F6, X1: a flush reads contracts, boundaries and outcomes, and passes receipts over', async () => {
  const scope_id = 'from work to Memory';
  await calls.contract({
    scope_id,
    source_id: 'contract',
    contract: {
      objective: 'Build.',
      facts: [{ text: 'The ground is dry.' }],
      in_scope: ['walls'],
      exclusions: ['the roof'],
      completion_criteria: ['it stands'],
    },
  });
  const { body } = await calls.handOff({
    scope_id,
    source_id: 'boundary',
    handoff: { objective: 'Build.', state: [{ text: 'Two walls stand.' }], disposition: 'continuable' },
  });
  await calls.commit(scope_id, body.handoff);
  const receipt = await calls.acknowledge({
    scope_id,
    source_id: 'receipt',
    receiver: 'mason',
    status: 'accepted',
    selection: 'exact',
    receiver_checks: allConfirmed,
    revision: handoffRef(1),
    message: 'We must not forget the door.',
  });
  await calls.outcome({
    scope_id,
    source_id: 'outcome',
    outcome: {
      objective: 'Build.',
      status: 'partial',
      summary: 'Three walls stand.',
      handoff_receipt_ref: receipt.body.receipt.source,
      observations: [{ text: 'It leans.', basis: 'verified', evidence: [cite('receipt')] }],
      remaining_work: ['The fourth wall.'],
    },
  });
  const flushed = await service.call('flush_memory', { body: { scope_id } });
  expect(flushed.body).toMatchObject({ status: 'processed', processed_source_count: 3, current_cursor: 4 });
  const list = await service.call('list_memory_entries', { body: { scope_id } });
  const remembered = list.body.entries.map(({ kind, text, source_refs }) => [
    kind,
    text,
    source_refs[0]?.source_id,
  ]);
  expect(remembered).toEqual([
    ['fact', 'The ground is dry.', 'contract'],
    ['constraint', 'the roof', 'contract'],
    ['working_note', 'Two walls stand.', 'boundary'],
    ['fact', 'Three walls stand.', 'outcome'],
    ['fact', 'It leans.', 'outcome'],
    ['working_note', 'The fourth wall.', 'outcome'],
  ]);
});
