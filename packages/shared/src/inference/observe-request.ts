import { withSpan } from '@continuity/kernel/telemetry';
import { InferenceError, type InferenceFailure } from './error.ts';
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
