import { isUniqueViolation } from '@continuity/shared/kernel';

/** Limit of the attempts. A loser of a race finds the winner's row in its next attempt. */
const maxAttempts = 5;

/** A concurrent request has changed what this one read. */
export class LostRace extends Error {}

/** Runs `work` again after it has lost a race: it threw `LostRace`, or a concurrent request has taken its unique key. */
export async function retryRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof LostRace || isUniqueViolation(error);
      if (!isLost || attempt === maxAttempts) throw error;
    }
  }
}
