import type { ArtifactRef } from '@continuity/contract';
import type { LifecycleState } from '@continuity/contract/skills';
import type { Client } from '@continuity/testing';
import { type ZipEntry, zip } from '@continuity/testing/zip';
import { type Cited, reviewCalls } from './review.ts';

/** The tree of the test vector of spec 40 §5.4. */
export const helloFile: ZipEntry = {
  name: 'SKILL.md',
  content: '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n',
};

/** An entry with the `SKILL.md` of a Skill. */
export const skillFile = (name: string, instructions = 'Do it.'): ZipEntry => ({
  name: 'SKILL.md',
  content: `---\nname: ${name}\ndescription: Use for ${name}.\n---\n\n${instructions}\n`,
});

/** The archive of some entries, in base64. */
export const archiveOf = (...entries: ZipEntry[]): string => zip(entries).toString('base64');

type Upload = { reason?: string; target?: ArtifactRef };

/** Short calls of the operations on Skills. */
export function skillCalls(client: Client) {
  const review = reviewCalls(client);
  const calls = {
    upload: (
      scope_id: string,
      archive_base64: string,
      more: Upload = {},
      headers: Record<string, string> = {},
    ) => client.call('propose_skill_package', { headers, body: { scope_id, archive_base64, ...more } }),
    /** Uploads and approves a package. Returns the revision. */
    approved: async (scope_id: string, archive_base64: string, more: Upload = {}): Promise<ArtifactRef> => {
      const { body } = await calls.upload(scope_id, archive_base64, more);
      const { result_artifact } = (await review.approve(scope_id, body.candidate_id)).body;
      if (result_artifact === null) throw new Error('An approved Candidate has no revision.');
      return result_artifact;
    },
    /** Proposes and approves the fields of a Skill. Returns the revision. */
    approvedFields: async (
      scope_id: string,
      cited: Cited,
      proposal: Parameters<typeof review.proposeSkill>[2],
    ) => {
      const { body } = await review.proposeSkill(scope_id, cited, proposal);
      const { result_artifact } = (await review.approve(scope_id, body.candidate_id)).body;
      if (result_artifact === null) throw new Error('An approved Candidate has no revision.');
      return result_artifact;
    },
    get: (scope_id: string, artifact: ArtifactRef) =>
      client.call('get_skill', { body: { scope_id, artifact } }),
    manifest: (scope_id: string, artifact: ArtifactRef) =>
      client.call('get_skill_package_manifest', { body: { scope_id, artifact } }),
    download: (scope_id: string, artifact: ArtifactRef) =>
      client.call('download_skill_package', { body: { scope_id, artifact } }),
    library: (
      scope_id: string,
      more: { query?: string; include_deprecated?: boolean; limit?: number } = {},
    ) => client.call('list_managed_skills', { body: { scope_id, ...more } }),
    /** Names of the library's Skills, in its order. */
    names: async (
      scope_id: string,
      more: { query?: string; include_deprecated?: boolean; limit?: number } = {},
    ) => (await calls.library(scope_id, more)).body.skills.map(({ content }) => content.name),
    lifecycle: (
      scope_id: string,
      { artifact_id }: Pick<ArtifactRef, 'artifact_id'>,
      expected_generation: number,
      lifecycle_state: LifecycleState,
      replacement_artifact_id: string | null = null,
    ) =>
      client.call('update_skill_lifecycle', {
        body: { scope_id, artifact_id, expected_generation, lifecycle_state, replacement_artifact_id },
      }),
  };
  return calls;
}
