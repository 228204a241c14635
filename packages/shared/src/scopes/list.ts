import type { ScopePage } from '@continuity/contract/scopes';
import {
  type Database,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { descriptorSelect, toDescriptor } from './descriptor.ts';

/** A page ends with the descriptor that exceeds this size, in bytes. */
const maxPageBytes = 8 * 1024 * 1024;

/** Limit of the Scopes that a page of a search looks at (spec 60 §3.4.2). */
const maxLookedAt = 10_000;

interface ScopeList {
  tenantId: TenantId;
  limit: number;
  cursor?: string | undefined;
  /** Part of the id or title, in any case. */
  search?: string | undefined;
  /** Id of the Scope whose direct children are listed. */
  parent?: string | undefined;
}

const listed = pick(tables.scopes, 'scope_id', 'title', 'descriptor_bytes');

/** The titles are read for a search alone: those of a page without one come with its descriptors. */
const columns = "scope_id, CASE WHEN $4::boolean THEN title ELSE '' END AS title, descriptor_bytes";

const allStatement = statement(
  'list_scopes',
  `SELECT ${columns} FROM scopes WHERE tenant_id = $1 AND scope_id > $2 ORDER BY scope_id LIMIT $3`,
  listed,
);

const childrenStatement = statement(
  'list_child_scopes',
  `SELECT ${columns} FROM scopes WHERE tenant_id = $1 AND scope_id > $2 AND parent_scope_id = $5 ORDER BY scope_id LIMIT $3`,
  listed,
);

type ListedScope = RowOfStatement<typeof allStatement>;

/**
 * Reads one page of the tenant's Scopes, ascending by id (spec 10 §4). Throws 400 `invalid_cursor` and 410 `cursor_expired`.
 */
export async function listScopes(
  database: Database,
  cursors: CursorCodec,
  clock: Clock,
  list: ScopeList,
): Promise<ScopePage> {
  const { tenantId, cursor, search = null, parent = null } = list;
  const isWhole = search === null && parent === null;
  const binding = { tenantId, operation: 'list_scopes', ...(!isWhole && { query: [search, parent] }) };
  const after = cursor === undefined ? '' : cursors.decodeExpiring(binding, cursor, z.string(), clock.now());
  return database.prismaSnapshot(async ({ sql, prisma }) => {
    const { ids, last } = await findPage(sql, list, after);
    const rows = await prisma.scope.findMany({
      where: { tenantId, scopeId: { in: ids } },
      orderBy: { scopeId: 'asc' },
      select: descriptorSelect,
    });
    const next_cursor = last === null ? null : cursors.encodeExpiring(binding, last, clock.now());
    return { items: rows.map(toDescriptor), next_cursor };
  });
}

/**
 * Finds the ids of a page, and the last id that it looked at; null at the end of the list. Descriptors can be large, so their sizes
 * alone decide where the page ends.
 */
async function findPage(
  sql: Sql,
  { tenantId, limit, search, parent }: ScopeList,
  after: string,
): Promise<{ ids: string[]; last: string | null }> {
  const lookAt = search === undefined ? limit : maxLookedAt;
  const values = [tenantId, after, lookAt + 1, search !== undefined];
  const found = await (parent === undefined
    ? sql.rows(allStatement, values)
    : sql.rows(childrenStatement, [...values, parent]));
  const lookedAt = found.slice(0, lookAt);
  const matching = search === undefined ? lookedAt : lookedAt.filter(hasText(search));
  const ids = withinBytes(matching.slice(0, limit)).map(({ scope_id }) => scope_id);
  if (ids.length < matching.length) return { ids, last: ids.at(-1) ?? null };
  return { ids, last: found.length > lookAt ? (lookedAt.at(-1)?.scope_id ?? null) : null };
}

/** The locale of a database decides what its `lower` does to other than ASCII letters, so the service compares itself. */
function hasText(search: string): (scope: ListedScope) => boolean {
  const wanted = fold(search);
  return ({ scope_id, title }) => fold(scope_id).includes(wanted) || fold(title).includes(wanted);
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The first Scopes, up to the one that exceeds the size of a page. */
function withinBytes(scopes: ListedScope[]): ListedScope[] {
  let bytes = 0;
  return scopes.filter(({ descriptor_bytes }) => {
    const fits = bytes <= maxPageBytes;
    bytes += descriptor_bytes;
    return fits;
  });
}
