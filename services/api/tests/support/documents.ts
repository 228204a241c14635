import type { ExperienceContent } from '@continuity/contract/experience';
import type { SkillContent, SkillContentInput } from '@continuity/contract/skills';
import type { TestService } from './service.ts';

export const experience = (more: Partial<ExperienceContent> = {}): ExperienceContent => ({
  situation: 'The client was stale after a schema change.',
  action: 'Regenerated it, then ran the tests.',
  outcome: 'All green.',
  lesson: 'Regenerate first.',
  ...more,
});

export const skill = (more: Partial<SkillContentInput> = {}): SkillContentInput => ({
  name: 'openapi-change',
  description: 'Use when the public HTTP contract changes.',
  instructions: 'Regenerate the client, read the diff, run the contract tests.',
  validation: [],
  ...more,
});

/** Short calls of the Artifact operations on Experiences and Skills. */
export function documentCalls(service: Pick<TestService, 'call'>) {
  type Family = 'experience' | 'skill' | 'handoff';
  const head = (scope_id: string, family: Family, artifact_id: string) =>
    service.call('get_artifact', { params: { scope_id, family, artifact_id } });
  return {
    head,
    createExperience: (scope_id: string, content = experience(), headers: Record<string, string> = {}) =>
      service.call('create_artifact', {
        params: { scope_id },
        headers,
        body: { family: 'experience', content },
      }),
    createSkill: (scope_id: string, content = skill(), headers: Record<string, string> = {}) =>
      service.call('create_artifact', { params: { scope_id }, headers, body: { family: 'skill', content } }),
    replaceExperience: (scope_id: string, artifact_id: string, etag: string, content: ExperienceContent) =>
      service.call('replace_artifact', {
        params: { scope_id, family: 'experience', artifact_id },
        headers: { 'If-Match': etag },
        body: { content },
      }),
    replaceSkill: (scope_id: string, artifact_id: string, etag: string, content: SkillContentInput) =>
      service.call('replace_artifact', {
        params: { scope_id, family: 'skill', artifact_id },
        headers: { 'If-Match': etag },
        body: { content },
      }),
    revision: (scope_id: string, family: Family, artifact_id: string, revision: number | string) =>
      service.call('get_artifact_revision', {
        params: { scope_id, family, artifact_id, revision: String(revision) },
      }),
    /** The content of a Skill's head. */
    skillOf: async (scope_id: string, artifact_id: string) =>
      (await head(scope_id, 'skill', artifact_id)).body.content as SkillContent,
    list: (scope_id: string, family: Family, query: Record<string, string> = {}) =>
      service.call('list_artifacts', { params: { scope_id, family }, query }),
    /** The number of Sources in the Scope. Creates one to read its position. */
    sourceCount: async (scope_id: string) => {
      const reply = await service.call('create_source', { params: { scope_id }, body: { content: 'probe' } });
      return reply.body.position - 1;
    },
  };
}
