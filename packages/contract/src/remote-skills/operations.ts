import { z } from 'zod';
import { artifactRef, int, scopeId, token } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import {
  exampleArtifact,
  exampleCurrent,
  examplePending,
  exampleScope,
  exampleTargetId,
} from './examples.ts';
import {
  downloadRemoteSkillPackage,
  enrollRemoteSkillTarget,
  reconcileRemoteSkills,
  recordRemoteSkillReceipt,
} from './receiver-operations.ts';
import { remoteSkillPublication, targetId } from './shapes.ts';
import {
  createRemoteSkillTarget,
  listRemoteSkillTargets,
  renameRemoteSkillTarget,
  revokeRemoteSkillTarget,
} from './target-operations.ts';

const publications = { tag: 'remote skills', method: 'POST', auth: 'bearer', run: 'direct' } as const;

export const publishRemoteSkill = defineOperation({
  ...publications,
  id: 'publish_remote_skill',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/publication/publish',
  summary: 'Publish one revision of a Skill to a target',
  description:
    'The Receiver of the target installs the Skill at its next reconcile. `expected_generation` is null for the first ' +
    'publication of a Skill at a target, then the generation that you have read. If the revision is `pending` or ' +
    '`current`, another publish of it changes nothing. After a failure, it is a retry.',
  body: z.strictObject({
    scope_id: scopeId,
    target_id: targetId,
    artifact: artifactRef,
    expected_generation: int(0).nullable(),
    allow_deprecated: z.boolean().default(false),
  }),
  status: 200,
  response: remoteSkillPublication,
  errors: [
    'remote_target_not_found',
    'artifact_not_found',
    'remote_target_conflict',
    'governance_conflict',
    'remote_publication_conflict',
    'capability_not_supported',
  ],
  examples: [
    {
      summary: 'For the first time',
      body: {
        scope_id: exampleScope,
        target_id: exampleTargetId,
        artifact: exampleArtifact,
        expected_generation: null,
      },
      response: examplePending,
    },
  ],
});

export const unpublishRemoteSkill = defineOperation({
  ...publications,
  id: 'unpublish_remote_skill',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/publication/unpublish',
  summary: 'Remove a Skill from a target',
  description:
    'The Receiver of the target removes the Skill at its next reconcile. Allowed in every lifecycle state of the Skill.',
  body: z.strictObject({
    scope_id: scopeId,
    target_id: targetId,
    artifact_id: token(1, 128),
    expected_generation: int(0).meta({
      description: 'The generation of the publication that you have read.',
    }),
  }),
  status: 200,
  response: remoteSkillPublication,
  errors: [
    'remote_target_not_found',
    'remote_publication_not_found',
    'remote_target_conflict',
    'remote_publication_conflict',
  ],
  examples: [
    {
      summary: 'A Skill that is installed',
      body: {
        scope_id: exampleScope,
        target_id: exampleTargetId,
        artifact_id: exampleArtifact.artifact_id,
        expected_generation: 0,
      },
      response: { ...exampleCurrent, desired_state: 'unpublished', state: 'pending', generation: 1 },
    },
  ],
});

export const remoteSkillOperations = {
  list_remote_skill_targets: listRemoteSkillTargets,
  create_remote_skill_target: createRemoteSkillTarget,
  rename_remote_skill_target: renameRemoteSkillTarget,
  revoke_remote_skill_target: revokeRemoteSkillTarget,
  publish_remote_skill: publishRemoteSkill,
  unpublish_remote_skill: unpublishRemoteSkill,
  enroll_remote_skill_target: enrollRemoteSkillTarget,
  reconcile_remote_skills: reconcileRemoteSkills,
  download_remote_skill_package: downloadRemoteSkillPackage,
  record_remote_skill_receipt: recordRemoteSkillReceipt,
};
