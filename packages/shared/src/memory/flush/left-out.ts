import type { LeftOut } from '@continuity/contract/memory';
import { type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import type { SourceLeftOut } from '../extraction/index.ts';

const insertLeftOut = statement(
  'insert_left_out',
  `INSERT INTO source_left_out (tenant_id, scope_key, position, reason, count)
   SELECT $1, $2, l.position, l.reason, l.count
   FROM unnest($3::bigint[], $4::text[], $5::int[]) AS l (position, reason, count)`,
);

/** Stores what extraction left out of the Sources of a window (spec 25 Q13). */
export async function storeLeftOut(
  sql: Sql,
  tenantId: TenantId,
  scopeKey: ScopeKey,
  leftOut: readonly SourceLeftOut[],
): Promise<void> {
  if (leftOut.length === 0) return;
  const columns = [
    leftOut.map(({ position }) => position),
    leftOut.map(({ reason }) => reason),
    leftOut.map(({ count }) => count),
  ];
  await sql.rows(insertLeftOut, [tenantId, scopeKey, ...columns]);
}

const reasons: readonly LeftOut['reason'][] = ['limit', 'too_long', 'credential'];

/** The field `left_out` of an answer: the sum of each reason. No field where nothing was left out, so that older clients accept it. */
export function leftOutField(
  leftOut: readonly SourceLeftOut[],
): { left_out: LeftOut[] } | Record<never, never> {
  const sums = reasons.map((reason) => ({
    reason,
    count: leftOut.filter((one) => one.reason === reason).reduce((sum, { count }) => sum + count, 0),
  }));
  const found = sums.filter(({ count }) => count > 0);
  return found.length === 0 ? {} : { left_out: found };
}
