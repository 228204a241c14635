import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';

/** Throws 409 `project_conflict` if another Project than `projectId` has the key, archived Projects included. */
export async function requireFreeProjectKey(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  normalizedKey: string,
  projectId: string | null,
): Promise<void> {
  const holder = await prisma.reportProject.findUnique({
    where: { tenantId_normalizedKey: { tenantId, normalizedKey } },
    select: { projectId: true },
  });
  if (holder === null || holder.projectId === projectId) return;
  throw serviceError('project_conflict', {
    message: 'Another Project has this project_key. Choose another key.',
    details: { reason: 'key_in_use', project_id: holder.projectId },
  });
}
