import { withSpan } from '@continuity/kernel/telemetry';
import { InferenceError, type InferenceFailure } from './errors.ts';
import type { ModelEndpoint } from './model-endpoint.ts';

/** Traces one request and reports its outcome and duration. */
export async function observeRequest<T>(
  { onRequest }: Pick<ModelEndpoint, 'onRequest'>,
  ask: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const report = (outcome: 'answered' | InferenceFailure) => onRequest?.(outcome, performance.now() - begun);
  try {
    const answer = await withSpan('ask model', { role: 'client' }, ask);
    report('answered');
    return answer;
  } catch (error) {
    if (error instanceof InferenceError) report(error.reason);
    throw error;
  }
}

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
