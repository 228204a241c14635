import type { CandidateFamily } from '@continuity/contract';
import type { CandidateOrigin, CandidateStatus } from '@continuity/contract/review';
import { type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';

/** The counters of one kind of Candidate in a Scope: one for each status. */
interface CountedKind {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  family: CandidateFamily;
  origin: CandidateOrigin;
}

/** Locks the counters in ascending order of the status, so that two writers lock them in the same order. */
const countStatement = statement(
  'count_candidates',
  `INSERT INTO candidate_counts AS c (tenant_id, scope_key, family, origin, status, candidates)
   SELECT $1, $2, $3, $4, status, delta FROM unnest($5::text[], $6::int[]) AS moved(status, delta) ORDER BY status
   ON CONFLICT (tenant_id, scope_key, status, family, origin) DO UPDATE SET candidates = c.candidates + excluded.candidates`,
);

/**
 * Adds to the counters of Candidates. Counters are locked until the transaction ends, so this is its last statement.
 * `deltas` has the change of each status.
 */
export async function countCandidates(
  sql: Sql,
  { tenantId, scopeKey, family, origin }: CountedKind,
  deltas: Partial<Record<CandidateStatus, number>>,
): Promise<void> {
  const values = [tenantId, scopeKey, family, origin, Object.keys(deltas), Object.values(deltas)];
  await sql.rows(countStatement, values);
}
