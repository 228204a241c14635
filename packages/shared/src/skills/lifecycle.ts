import type { LifecycleState, SkillGovernance } from '@continuity/contract/skills';
import {
  type ArtifactKey,
  type Database,
  type PrismaTransaction,
  pick,
  type ScopeKey,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { invalidRequest, serviceError } from '@continuity/kernel/errors';
import { removeProjection } from '../documents/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import { lockSourceSequence } from '../sources/index.ts';
import { presentGovernance } from './library.ts';

/** A change of a Skill's lifecycle. */
interface LifecycleChange {
  tenantId: TenantId;
  scopeId: string;
  artifactId: string;
  expectedGeneration: number;
  state: LifecycleState;
  replacementId: string | null;
}

/** A Skill whose head and lifecycle the transaction has locked. */
interface LockedSkill {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  artifactKey: ArtifactKey;
  headRevision: number;
  state: string;
  replacementId: string | null;
  generation: number;
}

/** Locks the head before the lifecycle, as a Replace does: the answer names the head that it has written. */
const lockStatement = statement(
  'lock_managed_skill',
  `WITH head AS MATERIALIZED (
     SELECT artifact_key, head_revision FROM artifacts
     WHERE tenant_id = $1 AND scope_key = $2 AND family = 'skill' AND artifact_id = $3 FOR NO KEY UPDATE
   )
   SELECT head.artifact_key, head.head_revision, m.lifecycle_state, m.replacement_artifact_id, m.governance_generation
   FROM head JOIN managed_skills m ON m.tenant_id = $1 AND m.artifact_key = head.artifact_key FOR NO KEY UPDATE OF m`,
  {
    ...pick(tables.artifacts, 'artifact_key', 'head_revision'),
    ...pick(tables.managed_skills, 'lifecycle_state', 'replacement_artifact_id', 'governance_generation'),
  },
);

/**
 * Changes the lifecycle of a Skill (spec 40 §6.5). A Skill that retires leaves the search index. Throws 422 at
 * `replacement_artifact_id`, 404 `artifact_not_found` and 409 `governance_conflict`, in the order of rule 1.
 */
export async function changeLifecycle(database: Database, change: LifecycleChange): Promise<SkillGovernance> {
  checkReplacement(change);
  return database.prismaTransaction(async (transaction) => {
    const skill = await lockSkill(transaction, change);
    requireGeneration(skill, change);
    const { state, replacementId } = change;
    const isInForce = skill.state === state && skill.replacementId === replacementId;
    if (!isInForce) {
      requireTransition(skill);
      if (replacementId !== null) await requireActiveReplacement(transaction, skill, replacementId);
      await store(transaction, skill, change);
    }
    const artifact = { family: 'skill', artifact_id: change.artifactId, revision: skill.headRevision };
    return presentGovernance(artifact, {
      lifecycle_state: state,
      replacement_artifact_id: replacementId,
      governance_generation: skill.generation + (isInForce ? 0 : 1),
    });
  });
}

function checkReplacement({ artifactId, state, replacementId }: LifecycleChange): void {
  if (replacementId === null) return;
  const path = 'replacement_artifact_id';
  if (state !== 'deprecated') {
    throw invalidRequest([{ path, message: 'is only for lifecycle_state deprecated' }]);
  }
  if (replacementId === artifactId) throw invalidRequest([{ path, message: 'must be another Skill' }]);
}

/** Locks in the order of every writer: the Source sequence, the head, the lifecycle. Only a Skill that retires needs the first. */
async function lockSkill(
  { sql }: PrismaTransaction,
  { tenantId, scopeId, artifactId, state }: LifecycleChange,
): Promise<LockedSkill> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) throw serviceError('artifact_not_found');
  if (state === 'retired') await lockSourceSequence(sql, tenantId, scopeKey);
  const row = await sql.first(lockStatement, [tenantId, scopeKey, artifactId]);
  if (row === undefined) throw serviceError('artifact_not_found');
  return {
    tenantId,
    scopeKey,
    artifactKey: row.artifact_key,
    headRevision: row.head_revision,
    state: row.lifecycle_state,
    replacementId: row.replacement_artifact_id,
    generation: row.governance_generation,
  };
}

function requireGeneration(
  { generation, state }: LockedSkill,
  { expectedGeneration }: LifecycleChange,
): void {
  if (generation === expectedGeneration) return;
  throw serviceError('governance_conflict', {
    message: 'The lifecycle of the Skill has changed since it was read. Read it and decide again.',
    details: {
      expected_generation: expectedGeneration,
      current_generation: generation,
      lifecycle_state: state as LifecycleState,
    },
  });
}

function requireTransition({ state }: LockedSkill): void {
  if (state !== 'retired') return;
  throw serviceError('governance_conflict', {
    message: 'A retired Skill stays retired. Use another one.',
    details: { lifecycle_state: 'retired', reason: 'transition' },
  });
}

async function requireActiveReplacement(
  { prisma }: PrismaTransaction,
  { tenantId, scopeKey }: LockedSkill,
  replacementId: string,
): Promise<void> {
  const replacement = await prisma.artifact.findUnique({
    where: {
      tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family: 'skill', artifactId: replacementId },
    },
  });
  const governed =
    replacement &&
    (await prisma.managedSkill.findUnique({
      where: { tenantId_artifactKey: { tenantId, artifactKey: replacement.artifactKey } },
    }));
  if (governed === null) {
    throw serviceError('artifact_not_found', {
      message: 'This Scope has no Skill with the id of the replacement.',
      details: { artifact_id: replacementId },
    });
  }
  if (governed.lifecycleState !== 'retired') return;
  throw serviceError('governance_conflict', {
    message: 'The replacement is retired. Name another Skill.',
    details: { reason: 'replacement_retired', replacement_artifact_id: replacementId },
  });
}

async function store(
  { prisma, sql }: PrismaTransaction,
  { tenantId, scopeKey, artifactKey, generation }: LockedSkill,
  { state, replacementId }: LifecycleChange,
): Promise<void> {
  await prisma.managedSkill.update({
    where: { tenantId_artifactKey: { tenantId, artifactKey } },
    data: {
      lifecycleState: state,
      replacementArtifactId: replacementId,
      governanceGeneration: generation + 1,
    },
  });
  if (state === 'retired') await removeProjection(sql, { tenantId, scopeKey, family: 'skill', artifactKey });
}
