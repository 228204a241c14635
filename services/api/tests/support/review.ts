import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { ExperienceContent } from '@continuity/contract/experience';
import type { Evidence, ProposalInput } from '@continuity/contract/review';
import type { SkillContentInput } from '@continuity/contract/skills';
import { scopePath } from '@continuity/shared/handlers';
import type { Client } from '@continuity/testing';
import { experience, skill } from './documents.ts';
import { capture } from './sources.ts';
import { query } from './sql.ts';

export type Cited = Partial<Evidence>;
type Headers = Record<string, string>;

export const sourceRef = (source_id: string): SourceRef => ({ name: 'content', source_id });

/** References to `count` Sources. */
export const sourceRefs = (count: number): SourceRef[] =>
  Array.from({ length: count }, (_, index) => sourceRef(`source ${index}`));

/** Captures the Sources of `sourceRefs`. */
export async function captureSources(client: Client, scope_id: string, count: number): Promise<SourceRef[]> {
  const refs = sourceRefs(count);
  for (const { source_id } of refs) await capture(client, scope_id, source_id);
  return refs;
}

const defaults = (cited: Cited) => ({ source_refs: [], artifact_refs: [], ...cited });

/** Short calls of the operations on Candidates. */
export function reviewCalls(client: Client) {
  const decide = (scope_id: string, candidate_id: string, expected_version: number) => ({
    scope_id,
    candidate_id,
    expected_version,
  });
  return {
    propose: (
      scope_id: string,
      cited: Cited,
      proposal: ExperienceContent = experience(),
      headers: Headers = {},
    ) => client.call('propose_experience', { headers, body: { scope_id, proposal, ...defaults(cited) } }),
    proposeSkill: (
      scope_id: string,
      cited: Cited,
      proposal: SkillContentInput = skill(),
      headers: Headers = {},
    ) => client.call('propose_skill', { headers, body: { scope_id, proposal, ...defaults(cited) } }),
    /** Sends a proposal that no type describes. */
    send: (
      scope_id: string,
      cited: object,
      path = '/v1/experience/propose',
      proposal: unknown = experience(),
    ) => client.send('POST', path, { scope_id, proposal, ...defaults(cited) }),
    get: (scope_id: string, candidate_id: string) =>
      client.call('get_artifact_candidate', { body: { scope_id, candidate_id } }),
    approve: (scope_id: string, candidate_id: string, version = 1) =>
      client.call('approve_artifact_candidate', { body: decide(scope_id, candidate_id, version) }),
    reject: (scope_id: string, candidate_id: string, version = 1, reason = 'It says nothing new.') =>
      client.call('reject_artifact_candidate', {
        body: { ...decide(scope_id, candidate_id, version), reason },
      }),
    revise: (
      scope_id: string,
      candidate_id: string,
      version: number,
      cited: Cited,
      proposal: ProposalInput,
    ) =>
      client.call('revise_artifact_candidate', {
        body: { ...decide(scope_id, candidate_id, version), proposal, ...defaults(cited) },
      }),
    list: (scope_id: string, more: object = {}) =>
      client.call('list_artifact_candidates', { body: { scope_id, ...more } }),
    versions: (scope_id: string, candidate_id: string, more: object = {}) =>
      client.call('list_candidate_versions', { body: { scope_id, candidate_id, ...more } }),
    /** Creates an Artifact directly. */
    create: async (scope_id: string, family: 'experience' | 'skill'): Promise<ArtifactRef> => {
      const content = family === 'skill' ? skill() : experience();
      const reply = await client.send('POST', scopePath(scope_id, 'artifacts'), { family, content });
      const { artifact_id } = reply.json as { artifact_id: string };
      return { family, artifact_id, revision: 1 };
    },
    /** Writes the next revision of an Experience or a Skill directly. */
    replace: async (scope_id: string, { family, artifact_id }: ArtifactRef): Promise<ArtifactRef> => {
      const path = scopePath(scope_id, 'artifacts', family, artifact_id);
      const head = await client.send('GET', path);
      const { content } = head.json as { content: object };
      const etag = head.headers.get('etag') ?? '';
      const reply = await client.send('PUT', path, { content }, { 'If-Match': etag });
      return { family, artifact_id, revision: (reply.json as { revision: number }).revision };
    },
    /** Reads a revision of an Artifact. */
    revision: async (scope_id: string, { family, artifact_id, revision }: ArtifactRef) =>
      (
        await client.call('get_artifact_revision', {
          params: { scope_id, family: family as 'skill', artifact_id, revision: String(revision) },
        })
      ).body,
  };
}

/** Sets the lifecycle state of a Skill. */
export const setLifecycle = (databaseUrl: string, { artifact_id }: ArtifactRef, state: string) =>
  query(
    databaseUrl,
    `UPDATE managed_skills m SET lifecycle_state = $2 FROM artifacts a
     WHERE a.artifact_key = m.artifact_key AND a.artifact_id = $1`,
    [artifact_id, state],
  );
