import { InferenceError, type InferenceFailure } from './error.ts';

/**
 * Sends a request, and repeats it while it fails for one of `reasons`: at most `maxRequests` requests in all. A refusal is permanent,
 * and a time-out has used up the time, so neither is a reason. @throws {InferenceError}
 */
export async function retryRequest<T>(
  maxRequests: number,
  reasons: readonly Exclude<InferenceFailure, 'refused' | 'timeout'>[],
  request: () => Promise<T>,
): Promise<T> {
  for (let requests = 1; ; requests += 1) {
    try {
      return await request();
    } catch (error) {
      const canRetry = error instanceof InferenceError && reasons.some((reason) => reason === error.reason);
      if (!canRetry || requests >= maxRequests) throw error;
    }
  }
}
