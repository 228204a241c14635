import { maxListed, type PeriodShape, type Preset } from '@continuity/contract/stats';
import type { ScopeKey, TenantId } from '@continuity/kernel/database';
import { utcDate } from '@continuity/kernel/process';

const daysOfPreset: Record<Preset, number> = { today: 1, '7d': 7, '30d': 30 };

const msPerDay = 86_400_000;

/** The UTC days that an answer covers. */
export interface Period {
  shape: PeriodShape;
  /** Every date of the period, ascending. Counters refer to a date by its index in this list. */
  dates: string[];
}

/** Returns the period that ends with the UTC date of `asOf`, that date included (spec 20 T5). */
export function periodUntil(asOf: Date, preset: Preset): Period {
  const count = daysOfPreset[preset];
  const dates = Array.from({ length: count }, (_, index) =>
    utcDate(new Date(asOf.getTime() - (count - 1 - index) * msPerDay)),
  );
  const [start_date = '', end_date = ''] = [dates[0], dates.at(-1)];
  return { shape: { preset, start_date, end_date, timezone: 'UTC' }, dates };
}

/** The Scopes that statistics cover. */
export interface SelectedScopes {
  tenantId: TenantId;
  /** Keys in the order of the answer. The first `maxListed` Scopes are listed one by one. */
  scopeKeys: readonly ScopeKey[];
}

/** SQL row source: one row `selected (scope_key, ordinal)` for each key in $2, in the order of the answer. */
export const selectedScopes = 'unnest($2::bigint[]) WITH ORDINALITY AS selected (scope_key, ordinal)';

/**
 * SQL expression to group counters by: the 1-based position of a Scope in `by_scope`. All Scopes that are not listed share
 * the position after the last listed one, so that the database adds them up.
 */
export const scopePosition = `least(selected.ordinal, ${maxListed + 1})`;

/** Counters of one listed Scope, or of all Scopes that are not listed. */
interface CounterRow {
  position: number;
}

/** Summarizes the counters of the listed Scope at a position, or of the whole selection (`null`). */
export type Summary<T> = (position: number | null) => T;

/** Applies `summarize` to the rows that belong to a position. */
export function summaryOf<Row extends CounterRow, T>(
  rows: readonly Row[],
  summarize: (rows: readonly Row[]) => T,
): Summary<T> {
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return (position) => summarize(position === null ? rows : (byPosition.get(position) ?? []));
}

/** Adds up one number of each row. */
export function sumBy<Row>(rows: readonly Row[], numberOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}
