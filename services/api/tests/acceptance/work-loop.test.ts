import { afterAll, expect, test } from 'vitest';
import { allConfirmed, cite, handoffCalls, handoffRef } from '../support/handoff.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({
  environment: { AUTH_TOKENS_FILE: await writeTokens('team', 'others') },
});

afterAll(() => service.stop());

test('spec 30 scenario 10: two agents pass work on, and the outcome covers the receipt', async () => {
  const scope_id = 'checkout-api';
  // The two share a tenant, and nothing else: each reads all it knows from the service.
  const first = handoffCalls(clientOf(service.url, 'team'));
  const secondClient = clientOf(service.url, 'team');
  const second = handoffCalls(secondClient);

  await capture(clientOf(service.url, 'team'), scope_id, 'bug-41', 'Expired carts answer 500.');
  const objective = 'Return a stable error for an expired cart.';
  const contract = await first.contract({
    scope_id,
    source_id: 'contract-41',
    contract: {
      objective,
      facts: [{ text: 'Expired carts answer 500 today.', basis: 'verified', evidence: [cite('bug-41')] }],
      in_scope: ['The cart endpoints.'],
      completion_criteria: ['Each endpoint answers one documented status.'],
    },
  });
  await capture(clientOf(service.url, 'team'), scope_id, 'test-output-41', '12 passed, 1 failed: cart.patch');

  const boundary = await first.handOff({
    scope_id,
    source_id: 'boundary-41',
    handoff: {
      objective,
      state: [
        {
          text: 'Expired carts answer 410, but for PATCH.',
          basis: 'verified',
          evidence: [cite('test-output-41')],
        },
        { text: 'The web team prefers 410.' },
      ],
      disposition: 'continuable',
      next_action: { text: 'Let PATCH answer 410 too.', basis: 'verified', evidence: [cite('contract-41')] },
      omissions: ['No load test was run.'],
    },
  });
  const committed = await first.commit(scope_id, boundary.body.handoff);
  expect(committed.body.source_refs.map(({ source_id }) => source_id)).toEqual([
    'boundary-41',
    'test-output-41',
    'contract-41',
  ]);

  const found = await second.latest(scope_id);
  expect(found.body).toMatchObject({
    trust: 'untrusted_history',
    status: 'resolved',
    selected_revision: handoffRef(1),
    content: { objective, next_action: { text: 'Let PATCH answer 410 too.' } },
  });
  expect(found.body.evidence_checks.map(({ status }) => status)).toEqual(Array(3).fill('available'));
  const receipt = await second.acknowledge({
    scope_id,
    source_id: 'receipt-41',
    receiver: 'agent-b',
    status: 'accepted',
    selection: 'exact',
    receiver_checks: allConfirmed,
    revision: found.body.selected_revision,
  });
  await capture(secondClient, scope_id, 'test-output-42', '13 passed.');
  const outcome = await second.outcome({
    scope_id,
    source_id: 'outcome-41',
    outcome: {
      objective,
      status: 'succeeded',
      summary: 'All cart endpoints answer 410 for an expired cart.',
      handoff_receipt_ref: receipt.body.receipt.source,
      observations: [{ text: 'All tests pass.', basis: 'verified', evidence: [cite('test-output-42')] }],
      checks: [
        { name: 'contract tests', status: 'passed', basis: 'verified', evidence: [cite('test-output-42')] },
      ],
      produced_artifacts: [handoffRef(1)],
    },
  });
  expect([contract.status, boundary.status, receipt.status, outcome.status]).toEqual([202, 200, 200, 202]);
  expect(outcome.body.position).toBeGreaterThan(receipt.body.receipt.position);

  // The chain for a report: the outcome names the receipt, and the receipt the exact revision.
  const covered = (await readSource(secondClient, scope_id, 'outcome-41')).body.content as {
    handoff_receipt_ref: { source_id: string };
  };
  const named = await readSource(secondClient, scope_id, covered.handoff_receipt_ref.source_id);
  expect(named.body.content).toMatchObject({ status: 'accepted', selected_revision: handoffRef(1) });

  // Another tenant sees none of it.
  const others = handoffCalls(clientOf(service.url, 'others'));
  expect((await others.latest(scope_id)).body.status).toBe('empty');
});
