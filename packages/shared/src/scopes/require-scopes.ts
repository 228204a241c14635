import type { Queries, TenantId } from '@continuity/kernel/database';
import { scopeNotFound } from './descriptor.ts';

/**
 * Throws 404 `scope_not_found` with the first unknown id, in the given order. Scopes are never deleted, so a later transaction
 * finds them too.
 */
export async function requireScopes(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  scopeIds: readonly string[],
): Promise<void> {
  if (scopeIds.length === 0) return;
  const rows = await prisma.scope.findMany({
    where: { tenantId, scopeId: { in: [...scopeIds] } },
    select: { scopeId: true },
  });
  const known = new Set(rows.map(({ scopeId }) => scopeId));
  const unknown = scopeIds.find((scopeId) => !known.has(scopeId));
  if (unknown !== undefined) throw scopeNotFound(unknown);
}
