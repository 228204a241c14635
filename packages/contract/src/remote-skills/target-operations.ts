import { z } from 'zod';
import { int, scopeId, text, time } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { agentKind } from '../skills/shapes.ts';
import {
  exampleCode,
  exampleCurrent,
  exampleNewTarget,
  exampleScope,
  exampleTarget,
  exampleTargetId,
} from './examples.ts';
import {
  maxPublications,
  maxTargets,
  remoteSkillPublication,
  remoteSkillTarget,
  secret,
  targetId,
} from './shapes.ts';

const targets = { tag: 'remote skills', method: 'POST', auth: 'bearer', run: 'direct' } as const;

const displayName = text(1, 128).meta({ description: 'For people. Stored trimmed; need not be unique.' });
const expectedGeneration = int(0).meta({ description: 'The generation of the target that you have read.' });

export const listRemoteSkillTargets = defineOperation({
  ...targets,
  id: 'list_remote_skill_targets',
  path: '/v1/skill/remote/targets',
  summary: 'List the targets of a Scope with their publications',
  description:
    'Lists revoked targets last, otherwise by creation. `target_id` selects one target. The list is empty for an unknown Scope or ' +
    'target.',
  body: z.strictObject({
    scope_id: scopeId,
    target_id: targetId.nullable().default(null),
    limit: int(1, maxTargets).default(100),
  }),
  status: 200,
  response: z.strictObject({
    targets: z
      .array(
        z.strictObject({
          target: remoteSkillTarget,
          publications: z.array(remoteSkillPublication).max(maxPublications).meta({
            description: 'By Artifact id. Beyond 256, omits the oldest confirmed removals.',
          }),
        }),
      )
      .max(maxTargets),
  }),
  errors: [],
  examples: [
    {
      summary: 'All targets',
      body: { scope_id: exampleScope },
      response: { targets: [{ target: exampleTarget, publications: [exampleCurrent] }] },
    },
  ],
});

export const createRemoteSkillTarget = defineOperation({
  ...targets,
  id: 'create_remote_skill_target',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/target/create',
  summary: 'Register a target and get its one-time enrollment code',
  description:
    'Creates an unknown Scope. No later answer shows the code. If it is lost, revoke the target and create another one.',
  noStore: true,
  body: z.strictObject({ scope_id: scopeId, agent_kind: agentKind, display_name: displayName }),
  status: 201,
  response: z.strictObject({
    target: remoteSkillTarget,
    enrollment_code: secret,
    enrollment_expires_at: time,
  }),
  errors: ['remote_target_conflict'],
  examples: [
    {
      summary: 'A Codex project',
      body: { scope_id: exampleScope, agent_kind: 'codex', display_name: 'build machine' },
      response: {
        target: exampleNewTarget,
        enrollment_code: exampleCode,
        enrollment_expires_at: '2026-09-01T10:10:00.000Z',
      },
    },
  ],
});

export const renameRemoteSkillTarget = defineOperation({
  ...targets,
  id: 'rename_remote_skill_target',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/target/rename',
  summary: 'Rename a target',
  description:
    'Allowed in any state. Code, credential and publications stay. The same name after trimming changes nothing.',
  body: z.strictObject({
    scope_id: scopeId,
    target_id: targetId,
    display_name: displayName,
    expected_generation: expectedGeneration,
  }),
  status: 200,
  response: remoteSkillTarget,
  errors: ['remote_target_not_found', 'remote_target_conflict'],
  examples: [
    {
      summary: 'Another name',
      body: {
        scope_id: exampleScope,
        target_id: exampleTargetId,
        display_name: 'laptop',
        expected_generation: 1,
      },
      response: { ...exampleTarget, display_name: 'laptop', generation: 2 },
    },
  ],
});

export const revokeRemoteSkillTarget = defineOperation({
  ...targets,
  id: 'revoke_remote_skill_target',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/target/revoke',
  summary: 'Revoke a target',
  description:
    'The service then refuses the code and the credential of the target. Installed Skills stay on the machine: to remove them, unpublish ' +
    'them first. A revoked target stays revoked.',
  body: z.strictObject({ scope_id: scopeId, target_id: targetId, expected_generation: expectedGeneration }),
  status: 200,
  response: remoteSkillTarget,
  errors: ['remote_target_not_found', 'remote_target_conflict'],
  examples: [
    {
      summary: 'A machine that is gone',
      body: { scope_id: exampleScope, target_id: exampleTargetId, expected_generation: 1 },
      response: { ...exampleTarget, state: 'revoked', generation: 2 },
    },
  ],
});
