import type { WorkstreamDescriptor } from '@continuity/contract/reports';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { normalizeKey } from './catalog-key.ts';

/** Throws 409 `workstream_conflict` if another Workstream of the Project has the key, archived ones included. */
export async function requireFreeWorkstreamKey(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  { key, scope_id, project_id: projectId }: WorkstreamDescriptor,
): Promise<void> {
  if (key === null) return;
  const holder = await prisma.reportWorkstream.findUnique({
    where: {
      tenantId_projectId_normalizedKey: { tenantId, projectId, normalizedKey: normalizeKey(key) },
    },
    select: { scopeId: true },
  });
  if (holder === null || holder.scopeId === scope_id) return;
  throw serviceError('workstream_conflict', {
    message: 'Another Workstream of the Project has this key. Choose another key.',
    details: { reason: 'key_in_use', scope_id: holder.scopeId, project_id: projectId },
  });
}
