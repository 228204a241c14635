import { fromDatabaseError } from '@continuity/kernel/errors';
import { JobLostError } from './finish.ts';

/**
 * Rethrows an error that is not the fault of the work, so that the handler records no failure: the loss of the job to another
 * worker as a `JobLostError`, an outage of the database as it is, because the runner repeats the job. `signal` is that of the run.
 */
export function rethrowInterruption(error: unknown, signal: AbortSignal): void {
  if (error instanceof JobLostError || signal.aborted) throw new JobLostError({ cause: error });
  if (fromDatabaseError(error) !== undefined) throw error;
}
