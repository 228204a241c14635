import type { externalSkillOperations } from '@continuity/contract/external-skills';
import type { Handlers } from '@continuity/shared/handlers';
import type { ExternalSkillDeps } from './deps.ts';
import {
  importExternalSkill,
  listExternalSkills,
  resolveExternalSkill,
  scanExternalSkills,
} from './submit.ts';

export const externalSkillHandlers: Handlers<typeof externalSkillOperations, ExternalSkillDeps> = {
  scan_external_skills: (deps, caller, { body }) => scanExternalSkills(deps, caller, body),
  list_external_skills: (deps, caller, { body }) => listExternalSkills(deps, caller, body),
  resolve_external_skill: (deps, caller, { body }) => resolveExternalSkill(deps, caller, body),
  import_external_skill: (deps, caller, { body }) => importExternalSkill(deps, caller, body),
};
