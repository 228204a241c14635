import type { remoteSkillOperations } from '@continuity/contract/remote-skills';
import { type Caller, type Handlers, longAnswer, type RemoteTarget } from '@continuity/shared/handlers';
import type { RemoteSkillDeps } from './deps.ts';
import { enrollTarget } from './enroll.ts';
import { listTargets } from './list-targets.ts';
import { downloadPublished } from './publication.ts';
import { publishSkill, unpublishSkill } from './publish.ts';
import { reconcileSkills } from './reconcile/run.ts';
import { recordReceipt } from './record-receipt.ts';
import { createTarget, renameTarget, revokeTarget } from './write-target.ts';

export const remoteSkillHandlers: Handlers<typeof remoteSkillOperations, RemoteSkillDeps> = {
  list_remote_skill_targets: async (deps, { tenantId }, { body }) =>
    longAnswer(await listTargets(deps, tenantId, body)),

  create_remote_skill_target: async (deps, { tenantId }, { body }) => ({
    body: await createTarget(deps, tenantId, body),
  }),

  rename_remote_skill_target: async (deps, { tenantId }, { body }) => ({
    body: await renameTarget(deps, tenantId, body),
  }),

  revoke_remote_skill_target: async (deps, { tenantId }, { body }) => ({
    body: await revokeTarget(deps, tenantId, body),
  }),

  publish_remote_skill: async (deps, { tenantId }, { body }) => ({
    body: await publishSkill(deps, tenantId, body),
  }),

  unpublish_remote_skill: async (deps, { tenantId }, { body }) => ({
    body: await unpublishSkill(deps, tenantId, body),
  }),

  enroll_remote_skill_target: async (deps, _caller, { body }) => ({ body: await enrollTarget(deps, body) }),

  reconcile_remote_skills: (deps, caller, { body }) => reconcileSkills(deps, caller, targetOf(caller), body),

  download_remote_skill_package: (deps, caller, { body }) =>
    downloadPublished(deps, caller.tenantId, targetOf(caller), body),

  record_remote_skill_receipt: async (deps, caller, { body }) => ({
    body: await recordReceipt(deps, caller.tenantId, targetOf(caller), body),
  }),
};

function targetOf({ target }: Caller): RemoteTarget {
  if (target === undefined) throw new Error('The route of a Receiver did not authenticate it.');
  return target;
}
