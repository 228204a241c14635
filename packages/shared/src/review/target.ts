import type { ArtifactRef } from '@continuity/contract';
import type { Queries } from '@continuity/kernel/database';
import { requireHead } from '../artifacts/index.ts';
import type { EvidencePlace } from '../evidence/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import { requireNotRetired } from '../skills/index.ts';

/**
 * Checks that a target is the head of its Artifact, and no retired Skill (spec 40 §1.1.4). Throws 409
 * `artifact_conflict` and `governance_conflict`. The caller has found that the target exists.
 */
export async function checkTarget(
  queries: Queries,
  { tenantId, scopeId }: EvidencePlace,
  target: ArtifactRef,
): Promise<void> {
  const { family, artifact_id: artifactId } = target;
  const scopeKey = await findScopeKey(queries.sql, tenantId, scopeId);
  if (scopeKey === undefined) throw new Error('The Scope of a target does not exist.');
  const { artifactKey, headRevision } = await queries.prisma.artifact.findUniqueOrThrow({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
  });
  requireHead(target, headRevision);
  if (family !== 'skill') return;
  const message = 'The target is retired, and cannot be replaced. Propose a new Skill.';
  await requireNotRetired(queries, { tenantId, artifactKey }, message);
}
