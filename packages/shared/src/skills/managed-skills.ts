import type { LifecycleState } from '@continuity/contract/skills';
import {
  pick,
  type ServiceError,
  type Sql,
  serviceError,
  statement,
  tables,
} from '@continuity/shared/kernel';

const addStatement = statement(
  'add_managed_skill',
  `INSERT INTO managed_skills (tenant_id, artifact_key, scope_key, name)
   SELECT tenant_id, artifact_key, scope_key, $4 FROM artifacts
   WHERE tenant_id = $1 AND scope_key = $2 AND family = 'skill' AND artifact_id = $3`,
);

const renameStatement = statement(
  'rename_managed_skill',
  `UPDATE managed_skills SET name = $3
   WHERE tenant_id = $1 AND artifact_key = $2 AND lifecycle_state <> 'retired' RETURNING artifact_key`,
  pick(tables.managed_skills, 'artifact_key'),
);

const stateStatement = statement(
  'read_skill_lifecycle',
  'SELECT lifecycle_state FROM managed_skills WHERE tenant_id = $1 AND artifact_key = $2',
  { lifecycle_state: tables.managed_skills.lifecycle_state.as<LifecycleState>() },
);

/** Puts a new Skill under governance: `active`, generation 0 (spec 10 §6.3). Runs after its head is written. */
export async function addManagedSkill(
  sql: Sql,
  { tenantId, scopeKey, artifactId }: { tenantId: number; scopeKey: number; artifactId: string },
  name: string,
): Promise<void> {
  await sql.rows(addStatement, [tenantId, scopeKey, artifactId, name]);
}

/** A key by which the rows of an Artifact are found. */
export interface SkillKey {
  tenantId: number;
  artifactKey: number;
}

/**
 * Lists a Skill by the name of its next head. Locks its governance until the transaction ends. Throws 409
 * `governance_conflict` for one that is retired.
 */
export async function renameManagedSkill(
  sql: Sql,
  { tenantId, artifactKey }: SkillKey,
  name: string,
): Promise<void> {
  const [renamed] = await sql.rows(renameStatement, [tenantId, artifactKey, name]);
  if (renamed === undefined)
    throw retired('This Skill is retired and cannot be replaced. Create another one.');
}

/** Throws 409 `governance_conflict` for a Skill that is retired. */
export async function requireNotRetired(sql: Sql, { tenantId, artifactKey }: SkillKey): Promise<void> {
  const row = await sql.first(stateStatement, [tenantId, artifactKey]);
  if (row?.lifecycle_state === 'retired')
    throw retired('This Skill is retired and cannot be published. Publish another one.');
}

function retired(message: string): ServiceError {
  return serviceError('governance_conflict', { message, details: { lifecycle_state: 'retired' } });
}
