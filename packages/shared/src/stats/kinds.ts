import { type Inventory, maxListed } from '@continuity/contract/stats';
import { column, type RowOfStatement, type Sql, statement, tables } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import {
  type SelectedScopes,
  type Summary,
  scopePosition,
  selectedScopes,
  sumBy,
  summaryOf,
} from './period.ts';

type EntriesOfKind = Inventory['memory']['entries']['by_kind'];

/** Limit of the kinds that one answer counts. A kind counts once for each Scope that has it. */
const maxKinds = 100_000;

/** Limit of the bytes that the names of these kinds take as JSON. */
const maxKindBytes = 16 * 1024 * 1024;

/**
 * Reads at most the first 1,000 kinds of each Scope. That is enough for the whole selection: a kind among its first 1,000 is
 * among the first 1,000 of every Scope that has it.
 */
const selectKinds = statement(
  'stats_kinds',
  `SELECT position, kind, active, inactive FROM (
     SELECT ${scopePosition} AS position, kind, active, inactive
     FROM ${selectedScopes} CROSS JOIN LATERAL (
       SELECT kind, active_entries AS active, inactive_entries AS inactive FROM memory_kinds
       WHERE tenant_id = $1 AND scope_key = selected.scope_key AND is_used ORDER BY kind LIMIT ${maxListed}
     ) AS of_scope
     LIMIT ${maxKinds + 1}
   ) AS counted
   ORDER BY kind`,
  {
    kind: tables.memory_kinds.kind,
    position: column.bigint,
    active: tables.memory_kinds.active_entries,
    inactive: tables.memory_kinds.inactive_entries,
  },
);

type KindRow = RowOfStatement<typeof selectKinds>;

/** Reads the entries of each kind (spec 20 T3, T4). Throws 422 if the Scopes have too many kinds for one answer. */
export async function readKinds(
  sql: Sql,
  { tenantId, scopeKeys }: SelectedScopes,
): Promise<Summary<EntriesOfKind>> {
  const rows = await sql.rows(selectKinds, [tenantId, scopeKeys]);
  if (rows.length > maxKinds) throw tooManyKinds(`more than ${maxKinds} kinds of entries`);
  const bytes = sumBy(rows, ({ kind }) => Buffer.byteLength(JSON.stringify(kind)));
  if (bytes > maxKindBytes) {
    throw tooManyKinds(`kinds of entries whose names take more than ${maxKindBytes} bytes`);
  }
  return summaryOf(rows, sumKinds);
}

/** Kinds stay in the ascending order of the rows. */
function sumKinds(rows: readonly KindRow[]): EntriesOfKind {
  const kinds = Map.groupBy(rows, ({ kind }) => kind);
  return [...kinds].slice(0, maxListed).map(([kind, own]) => {
    const active = sumBy(own, (row) => row.active);
    const inactive = sumBy(own, (row) => row.inactive);
    return { kind, total: active + inactive, active, inactive };
  });
}

function tooManyKinds(what: string) {
  return invalidRequest([{ path: 'selection', message: `selects Scopes with ${what}` }]);
}
