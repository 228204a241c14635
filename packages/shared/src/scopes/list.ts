import type { ScopePage } from '@continuity/contract/scopes';
import type { Database, TenantId } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { descriptorSelect, toDescriptor } from './descriptor.ts';

/** A page ends with the descriptor that exceeds this size, in bytes. */
const maxPageBytes = 8 * 1024 * 1024;

interface ScopeList {
  tenantId: TenantId;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Reads one page of the tenant's Scopes, ascending by id (spec 10 §4). Throws 400 `invalid_cursor` and 410 `cursor_expired`.
 */
export async function listScopes(
  database: Database,
  cursors: CursorCodec,
  clock: Clock,
  { tenantId, limit, cursor }: ScopeList,
): Promise<ScopePage> {
  const binding = { tenantId, operation: 'list_scopes' };
  const after = cursor === undefined ? '' : cursors.decodeExpiring(binding, cursor, z.string(), clock.now());
  return database.prismaSnapshot(async ({ prisma }) => {
    // Descriptors can be large, so the sizes alone decide where the page ends.
    const found = await prisma.scope.findMany({
      where: { tenantId, scopeId: { gt: after } },
      orderBy: { scopeId: 'asc' },
      take: limit + 1,
      select: { scopeId: true, descriptorBytes: true },
    });
    const page = withinBytes(found.slice(0, limit));
    const last = page.at(-1);
    if (last === undefined) return { items: [], next_cursor: null };
    const rows = await prisma.scope.findMany({
      where: { tenantId, scopeId: { gt: after, lte: last.scopeId } },
      orderBy: { scopeId: 'asc' },
      select: descriptorSelect,
    });
    const hasMore = page.length < found.length;
    const next_cursor = hasMore ? cursors.encodeExpiring(binding, last.scopeId, clock.now()) : null;
    return { items: rows.map(toDescriptor), next_cursor };
  });
}

/** The first Scopes, up to the one that exceeds the size of a page. */
function withinBytes<Sized extends { descriptorBytes: number }>(scopes: Sized[]): Sized[] {
  let bytes = 0;
  return scopes.filter(({ descriptorBytes }) => {
    const fits = bytes <= maxPageBytes;
    bytes += descriptorBytes;
    return fits;
  });
}
