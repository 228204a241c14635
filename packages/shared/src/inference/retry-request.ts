import { InferenceError, type InferenceFailure } from './error.ts';

/**
 * Sends a request, and repeats it while it fails for one of `reasons`: at most `maxRequests` requests in all. Leave out `refused`,
 * which is permanent, and `timeout`, which has used up the time. @throws {InferenceError}
 */
export async function retryRequest<T>(
  maxRequests: number,
  reasons: readonly InferenceFailure[],
  request: () => Promise<T>,
): Promise<T> {
  for (let requests = 1; ; requests += 1) {
    try {
      return await request();
    } catch (error) {
      const canRetry = error instanceof InferenceError && reasons.includes(error.reason);
      if (!canRetry || requests >= maxRequests) throw error;
    }
  }
}
