import type { Recall } from '@continuity/contract/stats';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
} from '@continuity/kernel/database';
import { tokenEstimator } from '@continuity/kernel/text';
import { recallEstimator } from '../context/index.ts';
import {
  type Period,
  type SelectedScopes,
  type Summary,
  scopePosition,
  selectedScopes,
  sumBy,
  summaryOf,
} from './period.ts';

const selectRecall = statement(
  'stats_recall',
  `SELECT ${scopePosition} AS position, day - $3::date AS day_index,
     sum(preparations)::bigint AS preparations,
     sum(ready_preparations)::bigint AS ready_preparations,
     sum(comparable_preparations)::bigint AS comparable_preparations,
     sum(baseline_tokens)::bigint AS baseline_tokens,
     sum(recalled_tokens)::bigint AS recalled_tokens
   FROM ${selectedScopes} CROSS JOIN LATERAL (
     SELECT day, preparations, ready_preparations, comparable_preparations, baseline_tokens, recalled_tokens
     FROM recall_days
     WHERE tenant_id = $1 AND scope_key = selected.scope_key AND day BETWEEN $3::date AND $4::date AND estimator = $5
     ${optimizationFence}
   ) AS counted
   GROUP BY position, day`,
  {
    position: column.bigint,
    day_index: column.integer,
    preparations: column.bigint,
    ready_preparations: column.bigint,
    comparable_preparations: column.bigint,
    baseline_tokens: column.bigint,
    recalled_tokens: column.bigint,
  },
);

type RecallRow = RowOfStatement<typeof selectRecall>;

/** Reads what preparations recalled in a period, as counted by the active estimator (spec 20 T7). */
export async function readRecall(
  sql: Sql,
  { tenantId, scopeKeys }: SelectedScopes,
  period: Period,
  isEstimating: boolean,
): Promise<Summary<Recall>> {
  const { start_date, end_date } = period.shape;
  const values = [tenantId, scopeKeys, start_date, end_date, recallEstimator(isEstimating)];
  const rows = await sql.rows(selectRecall, values);
  const estimator = isEstimating ? tokenEstimator : null;
  return summaryOf(rows, (own) => sumRecall(own, period, estimator));
}

function sumRecall(
  rows: readonly RecallRow[],
  { shape, dates }: Period,
  estimator: Recall['estimator'],
): Recall {
  const days = Map.groupBy(rows, ({ day_index }) => day_index);
  return {
    period: shape,
    estimator,
    totals: sumPreparations(rows),
    daily: dates.map((date, index) => ({ date, ...sumPreparations(days.get(index) ?? []) })),
  };
}

function sumPreparations(rows: readonly RecallRow[]): Recall['totals'] {
  const baseline_tokens = sumBy(rows, (row) => row.baseline_tokens);
  const recalled_tokens = sumBy(rows, (row) => row.recalled_tokens);
  return {
    preparations: sumBy(rows, (row) => row.preparations),
    ready_preparations: sumBy(rows, (row) => row.ready_preparations),
    comparable_preparations: sumBy(rows, (row) => row.comparable_preparations),
    baseline_tokens,
    recalled_tokens,
    token_reduction: baseline_tokens - recalled_tokens,
  };
}
