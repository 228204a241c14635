import type { ScopePage } from '@continuity/contract/scopes';
import {
  type Clock,
  type CursorCodec,
  column,
  invalidCursor,
  type Sql,
  statement,
} from '@continuity/shared/kernel';
import { descriptorColumns, descriptorRow } from './descriptor.ts';

/** A page ends with the descriptor that takes it over this size. */
const maxPageBytes = 8 * 1024 * 1024;

export interface ScopeList {
  tenantId: number;
  limit: number;
  cursor?: string | undefined;
}

const listStatement = statement(
  'list_scopes',
  `SELECT ${descriptorColumns}, s.found_count FROM (
     SELECT f.*, count(*) OVER () AS found_count,
       sum(f.descriptor_bytes) OVER (ORDER BY f.scope_id) - f.descriptor_bytes AS bytes_before
     FROM (SELECT * FROM scopes WHERE tenant_id = $1 AND scope_id > $2 ORDER BY scope_id LIMIT $3) AS f
   ) AS s
   WHERE s.bytes_before <= ${maxPageBytes} ORDER BY s.scope_id`,
  {
    ...descriptorRow,
    found_count: column.bigint,
  },
);

/**
 * One page of the tenant's Scopes, ascending by id (spec 10 §4). An id is passed once, so that what is created meanwhile
 * neither repeats nor hides another. Throws 400 `invalid_cursor` and 410 `cursor_expired`.
 */
export async function listScopes(
  sql: Sql,
  cursors: CursorCodec,
  clock: Clock,
  { tenantId, limit, cursor }: ScopeList,
): Promise<ScopePage> {
  const binding = { tenantId, operation: 'list_scopes' };
  const after = cursor === undefined ? '' : cursors.decodeExpiring(binding, cursor, clock.now());
  if (typeof after !== 'string') throw invalidCursor();
  const rows = await sql.rows(listStatement, [tenantId, after, limit + 1]);
  const items = rows.slice(0, limit).map(({ found_count: _, ...descriptor }) => descriptor);
  const hasMore = items.length < (rows[0]?.found_count ?? 0);
  const last = hasMore ? items.at(-1) : undefined;
  const next = last && cursors.encodeExpiring(binding, last.scope_id, clock.now());
  return { items, next_cursor: next ?? null };
}
