/** Shared values of the examples of the Handoff operations. */
export const exampleScope = 'checkout-api';

const cited = { kind: 'source', source_ref: { name: 'content', source_id: 'test-output-41' } };

export const exampleDraft = {
  objective: 'Return a stable error for an expired cart.',
  state: [{ text: 'Expired carts now answer 410.', citations: [cited] }],
  disposition: 'blocked',
  next_action: { text: 'Decide with the web team which status to keep.', citations: [cited] },
  omissions: [{ text: 'No load test was run.', citation: null }],
};

export const exampleContent = { schema: 'service.handoff.v1', ...exampleDraft };

export const examplePrepared = {
  schema: 'service.prepared-handoff.v1',
  scope_id: exampleScope,
  base: null,
  content: exampleContent,
};

export const exampleCommitted = {
  reference: { family: 'handoff', artifact_id: 'handoff', revision: 1 },
  content: exampleContent,
  source_refs: [cited.source_ref],
  artifact_refs: [],
};

export const exampleResolution = {
  trust: 'untrusted_history',
  status: 'resolved',
  scope_id: exampleScope,
  content: exampleContent,
  selection: 'latest',
  selected_revision: exampleCommitted.reference,
  current_revision: exampleCommitted.reference,
  evidence_checks: [
    { claim: 'state', state_index: 0, status: 'available', unavailable_evidence: [] },
    { claim: 'next_action', state_index: null, status: 'available', unavailable_evidence: [] },
  ],
};
