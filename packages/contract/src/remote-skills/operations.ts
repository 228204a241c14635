import { publishRemoteSkill, unpublishRemoteSkill } from './publication-operations.ts';
import {
  downloadRemoteSkillPackage,
  enrollRemoteSkillTarget,
  reconcileRemoteSkills,
  recordRemoteSkillReceipt,
} from './receiver-operations.ts';
import {
  createRemoteSkillTarget,
  listRemoteSkillTargets,
  renameRemoteSkillTarget,
  revokeRemoteSkillTarget,
} from './target-operations.ts';

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
