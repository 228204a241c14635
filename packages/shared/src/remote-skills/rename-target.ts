import type { RemoteSkillTarget } from '@continuity/contract/remote-skills';
import { trimWhite } from '@continuity/contract/text';
import type { TenantId } from '@continuity/kernel/database';
import type { BodyOf } from './bodies.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { lockTarget } from './lock-target.ts';
import { presentTarget, requireGeneration } from './target.ts';

/** Renames a target. Throws 404 `remote_target_not_found` and 409 `remote_target_conflict`. */
export async function renameTarget(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'rename_remote_skill_target'>,
): Promise<RemoteSkillTarget> {
  const { scope_id: scopeId, target_id: targetId } = body;
  const displayName = trimWhite(body.display_name);
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireGeneration(row, body.expected_generation);
    if (row.display_name === displayName) return presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS);
    const generation = row.generation + 1;
    await prisma.remoteSkillTarget.update({
      where: { tenantId_scopeKey_targetId: key },
      data: { displayName, generation },
      select: { targetId: true },
    });
    const renamed = { ...row, display_name: displayName, generation };
    return presentTarget(renamed, scopeId, settings.REMOTE_OFFLINE_MS);
  });
}
