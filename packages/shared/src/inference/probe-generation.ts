import type { ModelEndpoint } from './ask.ts';
import { failureOf } from './failures.ts';

/** By these an endpoint says that it takes no request with this key, or none now. */
const refusals = [401, 429];

/**
 * Asks the endpoint of a generation model for its list of models: a model would take longer than a probe may, and cost. An
 * endpoint without such a list, or one that this key may not read, shows by its answer that it is there. The list itself is
 * not read: endpoints take names that they do not list. @throws {InferenceError}
 */
export async function probeGeneration(
  { baseURL, apiKey }: Pick<ModelEndpoint, 'baseURL' | 'apiKey'>,
  signal: AbortSignal,
): Promise<void> {
  const { status, body } = await request(`${baseURL.replace(/\/$/, '')}/models`, apiKey, signal);
  await body?.cancel();
  if (status >= 500) throw failureOf('unreachable');
  if (status === 408) throw failureOf('timeout');
  if (refusals.includes(status)) throw failureOf('refused', status);
}

async function request(url: string, apiKey: string | undefined, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal,
    });
  } catch {
    // What `fetch` says names the address.
    throw failureOf(signal.aborted ? 'timeout' : 'unreachable');
  }
}
