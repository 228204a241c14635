import type { ScopeSelection } from '@continuity/contract';
import type { ScopePage } from '@continuity/contract/scopes';
import {
  column,
  compareCodePoints,
  type Database,
  invalidRequest,
  pick,
  type RowOfStatement,
  type ServiceError,
  type Sql,
  statement,
  tables,
} from '@continuity/shared/kernel';
import { descriptorColumns, descriptorRow, scopeNotFound } from './descriptor.ts';

/** Most Scopes of a selection (spec 10 §4). */
const maxSelected = 10_000;

/** Most bytes of descriptors in one answer, which has no second page. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** A Scope of a resolved selection. */
export interface SelectedScope {
  scopeId: string;
  scopeKey: number;
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
 * The levels of a subtree one after the other. A Scope has one parent, so that the root alone could come twice: leaving it
 * out ends any cycle. The walk stops with the last row that the LIMIT lets pass; the sort is outside of it.
 */
const subtreeStatement = statement(
  'select_scope_subtree',
  `WITH RECURSIVE tree AS (
     SELECT scope_key, scope_id, 0 AS level FROM scopes WHERE tenant_id = $1 AND scope_id = $2
     UNION ALL
     SELECT child.scope_key, child.scope_id, tree.level + 1
     FROM tree CROSS JOIN LATERAL (
       SELECT s.scope_key, s.scope_id FROM scopes s
       WHERE s.tenant_id = $1 AND s.parent_scope_id = tree.scope_id OFFSET 0
     ) AS child
     WHERE child.scope_id <> $2
   )
   SELECT scope_id, scope_key FROM (SELECT * FROM tree LIMIT $3) AS found ORDER BY level, scope_id`,
  { scope_id: column.text, scope_key: column.bigint },
);

/**
 * The Scopes of a selection (spec 10 §4): `all` and `exact` ascending by id in code point order, `subtree` root first, then
 * whole levels, each ascending. One statement; where more is read of these Scopes, give it a snapshot. Throws 404
 * `scope_not_found` with the first unknown id, and 422 for more than 10,000 Scopes.
 */
export async function resolveSelection(
  sql: Sql,
  tenantId: number,
  selection: ScopeSelection,
): Promise<SelectedScope[]> {
  const rows = await select(sql, tenantId, selection);
  if (rows.length > maxSelected) throw tooLarge(`selects more than ${maxSelected} Scopes`);
  return rows.map(({ scope_id, scope_key }) => ({ scopeId: scope_id, scopeKey: scope_key }));
}

async function select(sql: Sql, tenantId: number, selection: ScopeSelection): Promise<SelectedRow[]> {
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

const describeStatement = statement(
  'describe_selected_scopes',
  `SELECT ${descriptorColumns} FROM (
     SELECT *, sum(descriptor_bytes) OVER () AS all_bytes
     FROM scopes WHERE tenant_id = $1 AND scope_key = ANY ($2::bigint[])
   ) AS s WHERE s.all_bytes <= ${maxAnswerBytes}`,
  descriptorRow,
);

/** The descriptors of a selection, all of one moment. Throws as `resolveSelection`, and 422 for too many bytes. */
export function describeSelection(
  database: Database,
  tenantId: number,
  selection: ScopeSelection,
): Promise<ScopePage> {
  return database.snapshot(async (sql) => {
    const selected = await resolveSelection(sql, tenantId, selection);
    const keys = selected.map(({ scopeKey }) => scopeKey);
    const rows = await sql.rows(describeStatement, [tenantId, keys]);
    if (rows.length < selected.length) {
      throw tooLarge(`selects descriptors of more than ${maxAnswerBytes} bytes`);
    }
    const byId = new Map(rows.map((descriptor) => [descriptor.scope_id, descriptor]));
    return { items: selected.flatMap(({ scopeId }) => byId.get(scopeId) ?? []), next_cursor: null };
  });
}

function tooLarge(message: string): ServiceError {
  return invalidRequest([{ path: 'selection', message }]);
}
