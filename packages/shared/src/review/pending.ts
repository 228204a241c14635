import type { CandidateStatus } from '@continuity/contract/review';
import { pick, type Sql, statement, tables } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { scopeKey } from '../scopes/index.ts';
import { type CandidateAddress, type CandidateHead, resultOf } from './candidate.ts';

const lockStatement = statement(
  'lock_candidate',
  `SELECT family, status, version, result_id, result_revision FROM candidates
   WHERE tenant_id = $1 AND scope_key = ${scopeKey} AND candidate_id = $3 FOR NO KEY UPDATE`,
  pick(tables.candidates, 'family', 'status', 'version', 'result_id', 'result_revision'),
);

/** State of a Candidate, as far as it decides whether somebody may write it. */
type State = Pick<CandidateHead, 'family' | 'status' | 'version' | 'resultId' | 'resultRevision'>;

/**
 * Throws if the Candidate is unknown (404 `candidate_not_found`), decided (409 `candidate_terminal`), or has another version (409
 * `candidate_conflict`), in this order.
 */
export function requirePending<S extends State>(
  state: S | undefined,
  expectedVersion: number,
): asserts state is S {
  if (state === undefined) throw serviceError('candidate_not_found');
  const { version: currentVersion } = state;
  const status = state.status as CandidateStatus;
  if (status !== 'pending') {
    throw serviceError('candidate_terminal', {
      details: { status, current_version: currentVersion, result_artifact: resultOf(state) },
    });
  }
  if (currentVersion !== expectedVersion) {
    throw serviceError('candidate_conflict', {
      details: { expected_version: expectedVersion, current_version: currentVersion },
    });
  }
}

/** Locks a Candidate until the transaction ends: the first lock of each of its writers. Throws as `requirePending`. */
export async function lockPending(
  sql: Sql,
  { tenantId, scopeId, candidateId }: CandidateAddress,
  expectedVersion: number,
): Promise<void> {
  const row = await sql.first(lockStatement, [tenantId, scopeId, candidateId]);
  const state = row && { ...row, resultId: row.result_id, resultRevision: row.result_revision };
  requirePending(state, expectedVersion);
}
