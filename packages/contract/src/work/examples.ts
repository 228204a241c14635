import { examplePrepared, exampleResolution } from '../handoff/examples.ts';

/** Shared values of the examples of the Work operations. */
export const exampleScope = 'checkout-api';

const evidence = [{ kind: 'source', source_ref: { name: 'content', source_id: 'test-output-41' } }];

export const exampleContract = {
  objective: 'Return a stable error for an expired cart.',
  facts: [{ text: 'Expired carts answer 500 today.', basis: 'verified', evidence }],
  in_scope: ['The cart endpoints of the checkout API.'],
  exclusions: ['The web shop.'],
  completion_criteria: ['Each endpoint answers one documented status for an expired cart.'],
  authorization_notes: ['Deployments are done by the platform team.'],
};

export const exampleBoundary = {
  objective: 'Return a stable error for an expired cart.',
  state: [{ text: 'Expired carts now answer 410.', basis: 'verified', evidence }],
  disposition: 'blocked',
  next_action: { text: 'Decide with the web team which status to keep.' },
  omissions: ['No load test was run.'],
};

export const exampleOutcome = {
  objective: 'Return a stable error for an expired cart.',
  status: 'succeeded',
  summary: 'The web team keeps 410, and all endpoints answer it.',
  handoff_receipt_ref: null,
  observations: [{ text: 'The contract tests of the cart pass.', basis: 'verified', evidence }],
  checks: [{ name: 'contract tests', status: 'passed', basis: 'verified', evidence }],
  remaining_work: ['Tell the mobile team.'],
};

export function exampleReceipt(kind: string, sourceId: string, position: number) {
  return {
    kind,
    source: { name: 'content', source_id: sourceId },
    position,
    content_digest: 'sha256:32584dd6cda411ed3c339caa342701e1cb7e43570f01267ce7d7677b26635f02',
  };
}

const boundary = { kind: 'source', source_ref: { name: 'content', source_id: 'boundary-41' } };

export const examplePreparedWork = {
  committed: null,
  boundary: exampleReceipt('handoff-boundary', 'boundary-41', 2),
  handoff: {
    ...examplePrepared,
    content: {
      ...examplePrepared.content,
      state: [{ text: 'Expired carts now answer 410.', citations: [boundary, ...evidence] }],
      next_action: { text: 'Decide with the web team which status to keep.', citations: [boundary] },
    },
  },
};

export const exampleAcknowledged = {
  resolution: { ...exampleResolution, selection: 'exact' },
  receipt: exampleReceipt('handoff-receipt', 'receipt-41', 3),
};
