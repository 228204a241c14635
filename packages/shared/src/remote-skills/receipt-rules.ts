import { requireNoIssues, type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { BodyOf } from './deps.ts';
import { otherGeneration, publicationNotFound, type StoredPublication } from './publication.ts';

export type Receipt = BodyOf<'record_remote_skill_receipt'>;

/** The columns of a publication that a receipt can change. */
export type Observed = Pick<
  StoredPublication,
  'state' | 'observed_revision' | 'observed_tree_digest' | 'observed_generation' | 'last_error_code'
>;

/** The result of a receipt. `observed` has the new values of the row, if it changes. */
type ReceiptResult =
  | { error: ServiceError }
  | { isStale: true }
  | { isStale: false; observed: Observed | null };

/** Throws 422 for fields that contradict each other (spec 40 §9). */
export function checkReceipt({
  operation,
  outcome,
  observed_tree_digest: observed,
  failure_state,
  error_code,
}: Receipt): void {
  const hasFailed = outcome === 'failed';
  const problem = (value: unknown, isExpected: boolean, when: string) => {
    if ((value !== null) === isExpected) return undefined;
    return `${isExpected ? 'is required' : 'must be null'} ${when}`;
  };
  const issues = [
    { path: 'failure_state', message: problem(failure_state, hasFailed, `for outcome ${outcome}`) },
    { path: 'error_code', message: problem(error_code, hasFailed, `for outcome ${outcome}`) },
    {
      path: 'observed_tree_digest',
      message: hasFailed
        ? undefined
        : problem(observed, operation === 'install', `for a succeeded ${operation}`),
    },
  ];
  const found = issues.flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]));
  requireNoIssues(found);
}

/** Compares a receipt with the row of its publication, by the first line of the table of spec 40 §9 that applies. */
export function compareReceipt(row: StoredPublication | undefined, receipt: Receipt): ReceiptResult {
  if (row === undefined) return { error: publicationNotFound() };
  if (receipt.generation < row.generation) return { isStale: true };
  if (receipt.generation > row.generation) return { error: otherGeneration(row) };
  if (!fits(row, receipt)) return { error: mismatch(row) };
  const next = observedBy(row, receipt);
  return { isStale: false, observed: next !== null && changes(row, next) ? next : null };
}

function fits(row: StoredPublication, receipt: Receipt): boolean {
  const operation = row.desired_state === 'published' ? 'install' : 'unpublish';
  const isInstalled = receipt.operation === 'install' && receipt.outcome === 'succeeded';
  return (
    receipt.operation === operation &&
    receipt.artifact.family === 'skill' &&
    receipt.artifact.revision === row.desired_revision &&
    receipt.expected_tree_digest === row.desired_tree_digest &&
    (!isInstalled || receipt.observed_tree_digest === row.desired_tree_digest)
  );
}

/** The row after a receipt that fits; null for a failure after a success of the same generation. */
function observedBy(
  row: StoredPublication,
  { outcome, failure_state, error_code }: Receipt,
): Observed | null {
  const observed_generation = row.generation;
  if (outcome === 'failed') {
    const hasSucceeded = row.state === 'current' || row.state === 'unpublished';
    if (hasSucceeded && row.observed_generation === row.generation) return null;
    const { observed_revision, observed_tree_digest } = row;
    return {
      state: failure_state ?? row.state,
      observed_revision,
      observed_tree_digest,
      observed_generation,
      last_error_code: error_code,
    };
  }
  if (row.desired_state === 'published') {
    return {
      state: 'current',
      observed_revision: row.desired_revision,
      observed_tree_digest: row.desired_tree_digest,
      observed_generation,
      last_error_code: null,
    };
  }
  return {
    state: 'unpublished',
    observed_revision: null,
    observed_tree_digest: null,
    observed_generation,
    last_error_code: null,
  };
}

/** Whether a row changes in more than `observed_at`. */
export function changes(row: StoredPublication, next: Observed): boolean {
  return (
    row.state !== next.state ||
    row.observed_revision !== next.observed_revision ||
    row.observed_tree_digest !== next.observed_tree_digest ||
    row.observed_generation !== next.observed_generation ||
    row.last_error_code !== next.last_error_code
  );
}

function mismatch({ generation }: StoredPublication): ServiceError {
  return serviceError('remote_publication_conflict', {
    message: 'The receipt does not fit what is published to the target. Reconcile again.',
    details: { reason: 'receipt_mismatch', current_generation: generation },
  });
}
