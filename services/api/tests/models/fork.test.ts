import { startInferenceStub, temporaryDirectory } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { externalSkillCalls, releaseCheck, writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { proposedSkill, proposing } from '../support/generation.ts';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { startService } from '../support/service.ts';
import { skillCalls } from '../support/skills.ts';
import { exactly, statsOf } from '../support/stats.ts';

const stub = await startInferenceStub();
const root = await temporaryDirectory('skills');
await writeSkill(root, 'release-check', releaseCheck);
const service = await startService({
  workers: true,
  environment: {
    MEMORY_AUTO_FLUSH: 'off',
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ laptop: [{ path: root }] }),
    INFERENCE_GENERATION_MODEL: 'stub',
    INFERENCE_BASE_URL: stub.url,
    INFERENCE_GENERATION_MAX_REQUESTS: '1',
  },
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

test('spec 40 §7.4: a fork of an External Skill has the fields of the model, and all other files of the package', async () => {
  const scope = freshScope();
  const external = externalSkillCalls(service);
  const [registration] = (await external.scan(scope)).body.registrations;
  if (registration === undefined) throw new Error('Nothing was registered.');
  stub.respondWith(() => ({
    ...proposing(proposedSkill),
    usage: { prompt_tokens: 1_234, completion_tokens: 56 },
  }));
  const { body } = await external.import(scope, registration, 'fork', { reason: 'A note.' });
  expect(body.candidate).toMatchObject({
    status: 'pending',
    proposal: {
      name: proposedSkill.name,
      description: proposedSkill.description,
      instructions: '1. Raise the pool.\n\n## Validation\n\n- Checkout answers.',
      license: 'Apache-2.0',
      package: { file_count: 2 },
    },
    source_refs: [{ name: 'external-skill-snapshot' }],
    artifact_refs: [],
    target: null,
    reason: 'A note.',
  });
  const prompts = stub.requests.map(
    ({ body: { messages } }) => messages.find(({ role }) => role === 'user')?.content ?? '',
  );
  expect(prompts.map((prompt) => JSON.parse(prompt))).toEqual([
    {
      evidence: [],
      target: {
        name: 'release-check',
        description: 'Verify a release before it is published.',
        instructions: 'Run scripts/verify.sh and read its report.',
      },
    },
  ]);
  const candidateId = body.candidate?.candidate_id ?? '';
  expect((await external.import(scope, registration, 'fork')).body).toEqual(body);
  expect(stub.requests).toHaveLength(1);
  const { usage } = await statsOf(service, exactly(scope));
  expect(usage.by_purpose).toMatchObject([
    { purpose: 'skill_generation', generation: { requests: 1, input_tokens: 1_234, output_tokens: 56 } },
  ]);
  const approved = (await reviewCalls(service).approve(scope, candidateId)).body.result_artifact;
  if (approved === null) throw new Error('The Candidate was not approved.');
  const manifest = await skillCalls(service).manifest(scope, approved);
  expect(manifest.body.files).toMatchObject([
    { path: 'SKILL.md', executable: false },
    { path: 'scripts/verify.sh', executable: true },
  ]);

  stub.respondWith(() => proposing(null));
  const nothing = await external.import(scope, registration, 'fork');
  expect(nothing.body).toEqual({ status: 'no_op', candidate: null });
  stub.respondWith(() => proposing({ ...proposedSkill, name: 'Not A Slug' }));
  const refused = await external.import(scope, registration, 'fork');
  expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
    503,
    'inference_unavailable',
    { reason: 'invalid_output' },
  ]);
});
