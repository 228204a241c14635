import type { ModelUse, Usage } from '@continuity/contract/stats';
import type { UseOperation, UsePurpose } from '@continuity/contract/usage';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import {
  type Period,
  type SelectedScopes,
  type Summary,
  scopePosition,
  selectedScopes,
  sumBy,
  summaryOf,
} from './period.ts';

const selectUsage = statement(
  'stats_usage',
  `SELECT ${scopePosition} AS position, day - $3::date AS day_index, purpose, operation,
     sum(requests)::bigint AS requests,
     CASE WHEN count(*) = count(input_tokens) THEN sum(input_tokens)::bigint END AS input_tokens,
     CASE WHEN count(*) = count(output_tokens) THEN sum(output_tokens)::bigint END AS output_tokens
   FROM ${selectedScopes} CROSS JOIN LATERAL (
     SELECT day, purpose, operation, requests, input_tokens, output_tokens FROM model_usage_days
     WHERE tenant_id = $1 AND scope_key = selected.scope_key AND day BETWEEN $3::date AND $4::date ${optimizationFence}
   ) AS counted
   GROUP BY position, day, purpose, operation ORDER BY purpose`,
  {
    position: column.bigint,
    day_index: column.integer,
    purpose: tables.model_usage_days.purpose.as<UsePurpose>(),
    operation: tables.model_usage_days.operation.as<UseOperation>(),
    requests: column.bigint,
    input_tokens: column.bigint.orNull(),
    output_tokens: column.bigint.orNull(),
  },
);

type UsageRow = RowOfStatement<typeof selectUsage>;

/** Reads the model calls of a period (spec 20 T6). */
export async function readUsage(
  sql: Sql,
  { tenantId, scopeKeys }: SelectedScopes,
  period: Period,
): Promise<Summary<Usage>> {
  const { start_date, end_date } = period.shape;
  const rows = await sql.rows(selectUsage, [tenantId, scopeKeys, start_date, end_date]);
  return summaryOf(rows, (own) => sumUsage(own, period));
}

function sumUsage(rows: readonly UsageRow[], { shape, dates }: Period): Usage {
  const days = Map.groupBy(rows, ({ day_index }) => day_index);
  return {
    period: shape,
    totals: sumOperations(rows),
    by_purpose: sumPurposes(rows),
    daily: dates.map((date, index) => {
      const own = days.get(index) ?? [];
      return { date, ...sumOperations(own), by_purpose: sumPurposes(own) };
    }),
  };
}

/** Purposes stay in the ascending order of the rows. */
function sumPurposes(rows: readonly UsageRow[]): Usage['by_purpose'] {
  const purposes = Map.groupBy(rows, ({ purpose }) => purpose);
  return [...purposes].map(([purpose, own]) => ({ purpose, ...sumOperations(own) }));
}

function sumOperations(rows: readonly UsageRow[]): Usage['totals'] {
  return { generation: sumCalls(rows, 'generation'), embedding: sumCalls(rows, 'embedding') };
}

function sumCalls(rows: readonly UsageRow[], operation: UseOperation): ModelUse {
  const own = rows.filter((row) => row.operation === operation);
  return {
    requests: sumBy(own, (row) => row.requests),
    input_tokens: sumKnown(own, (row) => row.input_tokens),
    output_tokens: sumKnown(own, (row) => row.output_tokens),
  };
}

/** Null as soon as one figure is unknown. */
function sumKnown(rows: readonly UsageRow[], figureOf: (row: UsageRow) => number | null): number | null {
  let sum = 0;
  for (const row of rows) {
    const figure = figureOf(row);
    if (figure === null) return null;
    sum += figure;
  }
  return sum;
}
