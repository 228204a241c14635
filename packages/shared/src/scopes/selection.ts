import type { ScopeSelection } from '@continuity/contract';
import type { ScopePage } from '@continuity/contract/scopes';
import {
  column,
  type Database,
  optimizationFence,
  pick,
  type RowOfStatement,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { invalidRequest, type ServiceError } from '@continuity/kernel/errors';
import { compareCodePoints } from '@continuity/kernel/text';
import { descriptorSelect, scopeNotFound, toDescriptor } from './descriptor.ts';

/** Limit of the Scopes of a selection (spec 10 §4). */
const maxSelected = 10_000;

/** Limit of the descriptors of a response, in bytes. A selection has no second page. */
const maxResponseBytes = 32 * 1024 * 1024;

/** A Scope of a resolved selection. */
interface SelectedScope {
  scopeId: string;
  scopeKey: ScopeKey;
}

const allStatement = statement(
  'select_all_scopes',
  'SELECT scope_id, scope_key FROM scopes WHERE tenant_id = $1 ORDER BY scope_id LIMIT $2',
  pick(tables.scopes, 'scope_id', 'scope_key'),
);

const exactStatement = statement(
  'select_exact_scopes',
  'SELECT scope_id, scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = ANY ($2::text[]) ORDER BY scope_id',
  pick(tables.scopes, 'scope_id', 'scope_key'),
);

type SelectedRow = RowOfStatement<typeof exactStatement>;

/**
 * Walks a subtree level by level. Each Scope has one parent, so only the root can repeat; excluding it ends any cycle. LIMIT ends
 * the walk early because the sort is outside of it.
 */
const subtreeStatement = statement(
  'select_scope_subtree',
  `WITH RECURSIVE tree AS (
     SELECT scope_key, scope_id, 0 AS level FROM scopes WHERE tenant_id = $1 AND scope_id = $2
     UNION ALL
     SELECT child.scope_key, child.scope_id, tree.level + 1
     FROM tree CROSS JOIN LATERAL (
       SELECT s.scope_key, s.scope_id FROM scopes s
       WHERE s.tenant_id = $1 AND s.parent_scope_id = tree.scope_id ${optimizationFence}
     ) AS child
     WHERE child.scope_id <> $2
   )
   SELECT scope_id, scope_key FROM (SELECT * FROM tree LIMIT $3) AS found ORDER BY level, scope_id`,
  { scope_id: column.text, scope_key: column.bigint.as<ScopeKey>() },
);

/**
 * Resolves a selection (spec 10 §4): `all` and `exact` ascending by id in code point order, `subtree` from the root, level by
 * level, each level ascending. It runs one statement, also for statistics; pass a snapshot to read more about the same Scopes.
 * Throws 404 `scope_not_found` with the first unknown id, and 422 for more than 10,000 Scopes.
 */
export async function resolveSelection(
  sql: Sql,
  tenantId: TenantId,
  selection: ScopeSelection,
): Promise<SelectedScope[]> {
  const rows = await select(sql, tenantId, selection);
  if (rows.length > maxSelected) throw tooLarge(`selects more than ${maxSelected} Scopes`);
  return rows.map(({ scope_id, scope_key }) => ({ scopeId: scope_id, scopeKey: scope_key }));
}

async function select(sql: Sql, tenantId: TenantId, selection: ScopeSelection): Promise<SelectedRow[]> {
  switch (selection.mode) {
    case 'all':
      return sql.rows(allStatement, [tenantId, maxSelected + 1]);
    case 'exact': {
      const rows = await sql.rows(exactStatement, [tenantId, selection.scope_ids]);
      const known = new Set(rows.map(({ scope_id }) => scope_id));
      const [unknown] = selection.scope_ids.filter((id) => !known.has(id)).sort(compareCodePoints);
      if (unknown !== undefined) throw scopeNotFound(unknown);
      return rows;
    }
    case 'subtree': {
      const rows = await sql.rows(subtreeStatement, [tenantId, selection.root_scope_id, maxSelected + 1]);
      if (rows.length === 0) throw scopeNotFound(selection.root_scope_id);
      return rows;
    }
  }
}

/**
 * Reads the descriptors of a selection on one snapshot. Throws what `resolveSelection` throws, and 422 if the descriptors exceed
 * the size of a response.
 */
export function describeSelection(
  database: Database,
  tenantId: TenantId,
  selection: ScopeSelection,
): Promise<ScopePage> {
  return database.prismaSnapshot(async ({ sql, prisma }) => {
    const selected = await resolveSelection(sql, tenantId, selection);
    const where = { tenantId, scopeKey: { in: selected.map(({ scopeKey }) => scopeKey) } };
    const { _sum } = await prisma.scope.aggregate({ where, _sum: { descriptorBytes: true } });
    if ((_sum.descriptorBytes ?? 0) > maxResponseBytes) {
      throw tooLarge(`selects descriptors of more than ${maxResponseBytes} bytes`);
    }
    const rows = await prisma.scope.findMany({ where, select: descriptorSelect });
    const byId = new Map(rows.map((row) => [row.scopeId, toDescriptor(row)]));
    return { items: selected.flatMap(({ scopeId }) => byId.get(scopeId) ?? []), next_cursor: null };
  });
}

function tooLarge(message: string): ServiceError {
  return invalidRequest([{ path: 'selection', message }]);
}
