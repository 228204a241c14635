import type { Inventory } from '@continuity/contract/stats';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import {
  type SelectedScopes,
  type Summary,
  scopePosition,
  selectedScopes,
  sumBy,
  summaryOf,
} from './period.ts';

type CandidateCounts = Inventory['candidates'];
type CountedFamily = CandidateCounts['by_family'][number]['family'];
type CountedStatus = 'pending' | 'approved' | 'rejected';

const selectCandidates = statement(
  'stats_candidates',
  `SELECT ${scopePosition} AS position, family, status, sum(candidates)::bigint AS total
   FROM ${selectedScopes} CROSS JOIN LATERAL (
     SELECT family, status, candidates FROM candidate_counts
     WHERE tenant_id = $1 AND scope_key = selected.scope_key ${optimizationFence}
   ) AS counted
   GROUP BY position, family, status HAVING sum(candidates) <> 0 ORDER BY family`,
  {
    family: tables.candidate_counts.family.as<CountedFamily>(),
    status: tables.candidate_counts.status.as<CountedStatus>(),
    position: column.bigint,
    total: column.bigint,
  },
);

type CandidateRow = RowOfStatement<typeof selectCandidates>;

/** Reads how many Candidates the Scopes have in each status (spec 20 T3). */
export async function readCandidates(
  sql: Sql,
  { tenantId, scopeKeys }: SelectedScopes,
): Promise<Summary<CandidateCounts>> {
  const rows = await sql.rows(selectCandidates, [tenantId, scopeKeys]);
  return summaryOf(rows, sumCandidates);
}

/** Families stay in the ascending order of the rows. */
function sumCandidates(rows: readonly CandidateRow[]): CandidateCounts {
  const families = Map.groupBy(rows, ({ family }) => family);
  return {
    ...sumStatuses(rows),
    by_family: [...families].map(([family, own]) => ({ family, ...sumStatuses(own) })),
  };
}

function sumStatuses(rows: readonly CandidateRow[]) {
  const sumOf = (status: CountedStatus) => sumBy(rows, (row) => (row.status === status ? row.total : 0));
  return {
    total: sumBy(rows, (row) => row.total),
    pending: sumOf('pending'),
    approved: sumOf('approved'),
    rejected: sumOf('rejected'),
  };
}
