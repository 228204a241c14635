import { tokenEstimator } from '@continuity/shared/kernel';

/** The estimator that a row of counters is of: empty while estimation is off (spec 20 T7). */
export function recallEstimator(estimates: boolean): string {
  return estimates ? `${tokenEstimator.estimator_id}/${tokenEstimator.version}` : '';
}

/**
 * Adds a preparation to the counters of a Scope and day (spec 20 P12). `recall` selects one row of `is_ready`,
 * `is_comparable` and `baseline`. Parameters: tenant, Scope, day, estimator, recalled tokens.
 *
 * A lost counter is no harm, so that `recall` has a `forgivingWrite`: the answer does not wait for the disk; and the row is
 * locked for this statement alone, so that preparations of one Scope do not queue behind each other's commits.
 */
export const addToDay = (recall: string): string => `
   INSERT INTO recall_days AS d
     (tenant_id, scope_key, day, estimator, preparations, ready_preparations, comparable_preparations, baseline_tokens,
      recalled_tokens)
   SELECT $1, $2, $3::date, $4, 1, is_ready::int, is_comparable::int,
          CASE WHEN is_comparable AND $4 <> '' THEN baseline ELSE 0 END,
          CASE WHEN is_comparable AND $4 <> '' THEN $5::bigint ELSE 0 END
   FROM (${recall}) AS recall
   ON CONFLICT (tenant_id, scope_key, day, estimator) DO UPDATE SET
     preparations = d.preparations + excluded.preparations,
     ready_preparations = d.ready_preparations + excluded.ready_preparations,
     comparable_preparations = d.comparable_preparations + excluded.comparable_preparations,
     baseline_tokens = d.baseline_tokens + excluded.baseline_tokens,
     recalled_tokens = d.recalled_tokens + excluded.recalled_tokens`;
