import { fromDatabaseError } from '@continuity/shared/kernel';
import { JobLostError } from './finish.ts';

/**
 * Throws if an error is no failure of the work itself, so that a handler must not record it as one: another worker owns a lost job,
 * and the runner repeats the job after an outage of the database. `signal` is that of the run. @throws {JobLostError}
 */
export function throwInterruption(error: unknown, signal: AbortSignal): void {
  if (error instanceof JobLostError || signal.aborted) throw new JobLostError({ cause: error });
  if (fromDatabaseError(error) !== undefined) throw error;
}
