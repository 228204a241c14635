import type { LifecycleState } from '@continuity/contract/skills';
import type { ArtifactKey, Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';

/** The key of an Artifact's rows. */
interface SkillKey {
  tenantId: TenantId;
  artifactKey: ArtifactKey;
}

/** Puts a new Skill under governance: `active`, generation 0 (spec 10 §6.3). Its head must exist. */
export async function addManagedSkill(
  { prisma }: Queries,
  { tenantId, scopeKey, artifactKey, artifactId }: SkillKey & { scopeKey: ScopeKey; artifactId: string },
  name: string,
): Promise<void> {
  await prisma.managedSkill.create({ data: { tenantId, artifactKey, scopeKey, artifactId, name } });
}

/**
 * Stores the name of a Skill's next head. Locks the row until the transaction ends, so that the Skill cannot retire
 * meanwhile. Throws 409 `governance_conflict` for a retired Skill.
 */
export async function renameManagedSkill(
  { prisma }: Queries,
  { tenantId, artifactKey }: SkillKey,
  name: string,
): Promise<void> {
  const { count } = await prisma.managedSkill.updateMany({
    where: { tenantId, artifactKey, lifecycleState: { not: 'retired' } },
    data: { name },
  });
  if (count === 0) throw retired('This Skill is retired and cannot be replaced. Create another one.');
}

/** Reads the lifecycle state of a Skill; undefined for an Artifact of another Family. */
export async function findLifecycleState(
  { prisma }: Queries,
  { tenantId, artifactKey }: SkillKey,
): Promise<LifecycleState | undefined> {
  const skill = await prisma.managedSkill.findUnique({
    where: { tenantId_artifactKey: { tenantId, artifactKey } },
    select: { lifecycleState: true },
  });
  return skill?.lifecycleState as LifecycleState | undefined;
}

/** Message of the 409 for the publication of a retired Skill, in another Scope or to a remote target. */
export const retiredSkillMessage = 'This Skill is retired and cannot be published. Publish another one.';

/** Throws 409 `governance_conflict` with `message` if the Skill is retired. */
export async function requireNotRetired(queries: Queries, key: SkillKey, message: string): Promise<void> {
  if ((await findLifecycleState(queries, key)) === 'retired') throw retired(message);
}

/** Which targets a Skill Candidate may replace (spec 40 §1.1.4). */
export const skillTarget = {
  family: 'skill',
  checkTarget: (queries: Queries, key: SkillKey): Promise<void> =>
    requireNotRetired(queries, key, 'The target is retired, and cannot be replaced. Propose a new Skill.'),
} as const;

function retired(message: string): ServiceError {
  return serviceError('governance_conflict', { message, details: { lifecycle_state: 'retired' } });
}
