import type { Inventory } from '@continuity/contract/stats';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { readCandidates } from './candidates.ts';
import { readKinds } from './kinds.ts';
import {
  type SelectedScopes,
  type Summary,
  scopePosition,
  selectedScopes,
  sumBy,
  summaryOf,
} from './period.ts';

/** OFFSET 0 keeps the plan: one index lookup for each Scope, whatever the table statistics say. */
const selectTotals = statement(
  'stats_totals',
  `SELECT ${scopePosition} AS position,
     coalesce(sum(source.total), 0)::bigint AS sources,
     coalesce(sum(source.pending), 0)::bigint AS pending_sources,
     coalesce(sum(entry.active), 0)::bigint AS active_entries,
     coalesce(sum(entry.inactive), 0)::bigint AS inactive_entries
   FROM ${selectedScopes}
   LEFT JOIN LATERAL (
     SELECT last_position AS total, eligible_count - extracted_count AS pending FROM source_sequences
     WHERE tenant_id = $1 AND scope_key = selected.scope_key ${optimizationFence}
   ) AS source ON true
   LEFT JOIN LATERAL (
     SELECT active_entries AS active, inactive_entries AS inactive FROM memory_totals
     WHERE tenant_id = $1 AND scope_key = selected.scope_key ${optimizationFence}
   ) AS entry ON true
   GROUP BY position`,
  {
    position: column.bigint,
    sources: column.bigint,
    pending_sources: column.bigint,
    active_entries: column.bigint,
    inactive_entries: column.bigint,
  },
);

type TotalsRow = RowOfStatement<typeof selectTotals>;

const selectFamilies = statement(
  'stats_families',
  `SELECT ${scopePosition} AS position, family, sum(heads)::bigint AS total
   FROM ${selectedScopes} CROSS JOIN LATERAL (
     SELECT family, heads FROM artifact_counts WHERE tenant_id = $1 AND scope_key = selected.scope_key ${optimizationFence}
   ) AS counted
   GROUP BY position, family ORDER BY family`,
  { family: tables.artifact_counts.family, position: column.bigint, total: column.bigint },
);

type FamilyRow = RowOfStatement<typeof selectFamilies>;

/** Reads what the Scopes hold (spec 20 T3, T4). Throws 422 if they have too many kinds of entries. */
export async function readInventory(sql: Sql, scopes: SelectedScopes): Promise<Summary<Inventory>> {
  const values = [scopes.tenantId, scopes.scopeKeys];
  const [totalsRows, familyRows, candidates, kinds] = await Promise.all([
    sql.rows(selectTotals, values),
    sql.rows(selectFamilies, values),
    readCandidates(sql, scopes),
    readKinds(sql, scopes),
  ]);
  const totals = summaryOf(totalsRows, sumTotals);
  const artifacts = summaryOf(familyRows, sumFamilies);
  return (position) => {
    const { sources, entries } = totals(position);
    return {
      sources,
      artifacts: artifacts(position),
      candidates: candidates(position),
      memory: { entries: { ...entries, by_kind: kinds(position) } },
    };
  };
}

function sumTotals(rows: readonly TotalsRow[]) {
  const total = sumBy(rows, (row) => row.sources);
  const memory_pending = sumBy(rows, (row) => row.pending_sources);
  const active = sumBy(rows, (row) => row.active_entries);
  const inactive = sumBy(rows, (row) => row.inactive_entries);
  return {
    sources: { total, memory_processed: total - memory_pending, memory_pending },
    entries: { total: active + inactive, active, inactive },
  };
}

/** Families stay in the ascending order of the rows. */
function sumFamilies(rows: readonly FamilyRow[]): Inventory['artifacts'] {
  const families = Map.groupBy(rows, ({ family }) => family);
  return {
    total: sumBy(rows, (row) => row.total),
    by_family: [...families].map(([family, own]) => ({ family, total: sumBy(own, (row) => row.total) })),
  };
}
