import type { RemoteSkillTarget } from '@continuity/contract/remote-skills';
import type { TenantId } from '@continuity/kernel/database';
import type { BodyOf } from './bodies.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { lockTarget } from './lock-target.ts';
import { presentTarget, requireGeneration } from './target.ts';

/**
 * Revokes a target. Its code and its credential are refused from the commit on. Throws 404 `remote_target_not_found` and 409
 * `remote_target_conflict`.
 */
export async function revokeTarget(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'revoke_remote_skill_target'>,
): Promise<RemoteSkillTarget> {
  const { scope_id: scopeId, target_id: targetId } = body;
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireGeneration(row, body.expected_generation);
    if (row.state === 'revoked') return presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS);
    const changed = { state: 'revoked', generation: row.generation + 1 };
    await prisma.remoteSkillTarget.update({
      where: { tenantId_scopeKey_targetId: key },
      data: { ...changed, enrollmentCodeHash: null, credentialHash: null },
      select: { targetId: true },
    });
    return presentTarget({ ...row, ...changed }, scopeId, settings.REMOTE_OFFLINE_MS);
  });
}
