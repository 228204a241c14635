import { isUniqueViolation } from '@continuity/kernel/errors';

/** Limit of the attempts. The next attempt finds the row of the request that won the race. */
const maxAttempts = 5;

/** Thrown if a concurrent request has changed a row since it was read. */
export class LostRaceError extends Error {}

/** Runs `work`, and again after it has lost a race: it threw `LostRaceError` or a unique violation. */
export async function retryRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof LostRaceError || isUniqueViolation(error);
      if (!isLost || attempt === maxAttempts) throw error;
    }
  }
}
