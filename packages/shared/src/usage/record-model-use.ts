import type { UseOperation, UsePurpose } from '@continuity/contract/usage';
import {
  bestEffortWrite,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
} from '@continuity/kernel/database';
import { systemClock, utcDate } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ModelUsage, OnUsage } from '../inference/index.ts';

/** Answered model calls for one Scope. */
export interface AnsweredCalls extends Omit<ModelUsage, 'requests'> {
  tenantId: TenantId;
  /** The Scope, by its id or by its key. */
  scope: { scopeId: string } | { scopeKey: ScopeKey };
  purpose: UsePurpose;
  operation: UseOperation;
  requests: number;
  /** Time of the last answer. */
  at: Date;
}

/** Dependencies of `recordModelUse`. */
export interface RecordUseDeps {
  sql: Sql;
  logger: Logger;
}

/** Null plus a number is null, so one unknown token count makes the sum of the day unknown (spec 20 T6). */
const addUse = statement(
  'add_model_use',
  `WITH setting AS MATERIALIZED (
     SELECT ${bestEffortWrite}
   )
   INSERT INTO model_usage_days AS d
     (tenant_id, scope_key, day, purpose, operation, requests, input_tokens, output_tokens)
   SELECT $1, found.scope_key, $4::date, $5, $6, $7, $8, $9
   FROM setting CROSS JOIN (
     SELECT coalesce($2::bigint, (SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $3)) AS scope_key
   ) AS found
   WHERE found.scope_key IS NOT NULL
   ON CONFLICT (tenant_id, scope_key, day, purpose, operation) DO UPDATE SET
     requests = d.requests + excluded.requests,
     input_tokens = d.input_tokens + excluded.input_tokens,
     output_tokens = d.output_tokens + excluded.output_tokens`,
);

/**
 * Adds answered calls to the counters of their Scope and day (spec 20 T6), in one round trip. Best effort: never rejects and logs a
 * failure. Counts nothing for an unknown Scope. Await it before the response, so that the caller's next request sees the count.
 */
export async function recordModelUse(
  { sql, logger }: RecordUseDeps,
  { tenantId, scope, purpose, operation, requests, input_tokens, output_tokens, at }: AnsweredCalls,
): Promise<void> {
  const [scopeKey, scopeId] = 'scopeKey' in scope ? [scope.scopeKey, null] : [null, scope.scopeId];
  const values = [tenantId, scopeKey, scopeId, utcDate(at), purpose, operation];
  try {
    await sql.rows(addUse, [...values, requests, input_tokens, output_tokens]);
  } catch (error) {
    logger.warn({ err: error, tenant_id: tenantId, purpose }, 'the use of a model was not counted');
  }
}

/** Returns a callback that records each answered generation request for one piece of work. */
export function countGenerations(
  deps: RecordUseDeps,
  work: Pick<AnsweredCalls, 'tenantId' | 'scope' | 'purpose'>,
): OnUsage {
  return (usage) =>
    recordModelUse(deps, { ...work, ...usage, operation: 'generation', at: systemClock.now() });
}
