import type { Client, StubAnswer } from '@continuity/testing';

export type Cited = { kind: 'source'; source_ref: { name: string; source_id: string } };

/** A Citation of a captured Source. */
export const sourceCitation = (source_id: string): Cited => ({
  kind: 'source',
  source_ref: { name: 'content', source_id },
});

export const objective = 'Return a stable error for an expired cart.';

interface DraftFields {
  objective?: string;
  max_bytes?: number;
}

/** Short calls of Handoff generation. */
export function generationCalls(client: Client) {
  return {
    prepare: (scope_id: string, source_ids: string[], fields: DraftFields = {}) =>
      client.call('prepare_handoff', {
        body: { scope_id, objective, evidence: source_ids.map(sourceCitation), ...fields },
      }),
    activate: (scope_id: string, boundary: string, source_ids: string[] = [], fields: DraftFields = {}) =>
      client.call('activate_handoff', {
        body: {
          scope_id,
          objective,
          boundary_source: sourceCitation(boundary).source_ref,
          evidence: source_ids.map(sourceCitation),
          ...fields,
        },
      }),
  };
}

interface Said {
  text: string;
  evidence: number[];
}

/** A valid model answer with one statement about the first piece of evidence, with changes. */
export function modelDraft(change: Record<string, unknown> = {}): StubAnswer {
  const state: Said[] = [{ text: 'Expired carts now answer 410.', evidence: [1] }];
  const draft = { state, disposition: 'continuable', next_action: null, omissions: [], ...change };
  return { content: JSON.stringify(draft) };
}
