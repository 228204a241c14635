import type { RemoteSkillPublication } from '@continuity/contract/remote-skills';
import type { TenantId } from '@continuity/kernel/database';
import type { BodyOf } from './bodies.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { findPublication } from './find-publication.ts';
import { lockTarget } from './lock-target.ts';
import { presentPublication } from './publication.ts';
import { publicationNotFound, requirePublicationGeneration } from './publication-conflicts.ts';
import { requireActive } from './target.ts';

/**
 * Requests the removal of a Skill from a target. Throws 404 `remote_target_not_found` and `remote_publication_not_found`, 409
 * `remote_target_conflict` and `remote_publication_conflict`.
 */
export async function unpublishSkill(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'unpublish_remote_skill'>,
): Promise<RemoteSkillPublication> {
  const { scope_id: scopeId, target_id: targetId, artifact_id: artifactId } = body;
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row: target } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireActive(target);
    const row = await findPublication(sql, key, artifactId);
    if (row === undefined) throw publicationNotFound();
    requirePublicationGeneration(row, body.expected_generation);
    if (row.desired_state === 'unpublished') return presentPublication(row, scopeId);
    const generation = row.generation + 1;
    await prisma.remoteSkillPublication.update({
      where: { tenantId_scopeKey_targetId_artifactId: { ...key, artifactId } },
      data: { desiredState: 'unpublished', state: 'pending', lastErrorCode: null, generation },
      select: { artifactId: true },
    });
    const intent = { desired_state: 'unpublished', state: 'pending', last_error_code: null, generation };
    return presentPublication({ ...row, ...intent }, scopeId);
  });
}
