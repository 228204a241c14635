/** Limit of Scopes per check. */
export const dueBatch = 200;

/** A job that has not finished after this time, in milliseconds, counts as lost, and its Scope is due again. */
export const lostAfterMs = 60_000;

/**
 * SQL that claims Scopes whose time in `column` has come, each for one worker, and returns their `tenant_id` and `scope_id`.
 * Postpones the time instead of clearing it, so that the Scope of a lost job is due again.
 */
export function takeDueScopes(
  table: 'source_sequences' | 'memory_totals',
  column: string,
  { condition = 'true', limit = String(dueBatch) } = {},
): string {
  return `WITH due AS (
     SELECT tenant_id, scope_key FROM ${table} WHERE ${column} <= now() AND ${condition}
     ORDER BY ${column} LIMIT ${limit} FOR UPDATE SKIP LOCKED
   )
   UPDATE ${table} t SET ${column} = now() + interval '${lostAfterMs} ms'
   FROM due JOIN scopes c USING (tenant_id, scope_key)
   WHERE t.tenant_id = due.tenant_id AND t.scope_key = due.scope_key
   RETURNING t.tenant_id, c.scope_id`;
}
