import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { SkillOrigin } from '@continuity/contract/skills';
import type { Client, StubAnswer } from '@continuity/testing';

/** The Source of the example in spec 40 §2.2. */
export const retro = `# Retro of the March outage

- Problem: Checkout requests timed out at nine.
* Did: The pool was raised to forty connections.
1. Result: Latency went back to normal.
It took eleven minutes in total.

You should alert on pool use. Verify that the pool stays below eighty percent.
`;

export const sourceOf = (source_id: string, name = 'content'): SourceRef => ({ name, source_id });

interface EvidenceFields {
  artifact_refs?: ArtifactRef[];
  target?: ArtifactRef | null;
  reason?: string | null;
}

/** Short calls of the operations that generate. */
export function generationCalls(client: Pick<Client, 'call' | 'send'>) {
  return {
    experience: (scope_id: string, source_refs: SourceRef[], fields: EvidenceFields = {}) =>
      client.call('generate_experience', { body: { scope_id, source_refs, artifact_refs: [], ...fields } }),
    skill: (scope_id: string, origin: SkillOrigin, source_refs: SourceRef[], fields: EvidenceFields = {}) =>
      client.call('generate_skill', {
        body: { scope_id, origin, source_refs, artifact_refs: [], ...fields },
      }),
    /** With `Prefer: respond-async`. */
    experienceAsync: (scope_id: string, source_refs: SourceRef[]) =>
      client.send(
        'POST',
        '/v1/experience/generate',
        { scope_id, source_refs, artifact_refs: [] },
        { prefer: 'respond-async' },
      ),
    /** Creates an Artifact without review. */
    create: async (
      scope_id: string,
      family: 'experience' | 'skill',
      content: object,
    ): Promise<ArtifactRef> => {
      const created = await client.send('POST', `/v1/scopes/${scope_id}/artifacts`, { family, content });
      const { artifact_id, revision } = created.json as ArtifactRef;
      return { family, artifact_id, revision };
    },
  };
}

/** All Candidates of a database, oldest first. */
export const selectCandidates =
  'SELECT candidate_id, family, status, version, origin, work_key FROM candidates ORDER BY candidate_id';

/** A Skill that a stub model proposes. */
export const proposedSkill = {
  name: 'raise-the-pool',
  description: 'Raise the pool when checkout times out.',
  instructions: '1. Raise the pool.',
  validation: ['Checkout answers.'],
};

/** The answer of a stub model that proposes this content. */
export const proposing = (proposal: unknown): StubAnswer => ({ content: JSON.stringify({ proposal }) });
