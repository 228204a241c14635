import type { ArtifactRef } from '@continuity/contract';
import { type Queries, serviceError } from '@continuity/shared/kernel';
import type { EvidencePlace } from '../evidence/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import { findLifecycleState } from '../skills/index.ts';

/**
 * Checks that a target is the head of its Artifact, and no retired Skill (spec 40 §1.1 rule 4). Throws 409
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
  if (headRevision !== target.revision) {
    throw serviceError('artifact_conflict', {
      details: { target, current: { ...target, revision: headRevision } },
    });
  }
  if (family !== 'skill') return;
  const lifecycleState = await findLifecycleState(queries, { tenantId, artifactKey });
  if (lifecycleState === 'retired') {
    throw serviceError('governance_conflict', {
      message: 'The target is retired, and cannot be replaced. Propose a new Skill.',
      details: { lifecycle_state: lifecycleState },
    });
  }
}
