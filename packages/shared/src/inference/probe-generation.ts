import { failureOf, InferenceError } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import { headersOf, type ModelAddress } from './model-endpoint.ts';

/** HTTP statuses that reject the key or exceed its rate limit. */
const refusals = [401, 429];

/**
 * Probes the endpoint of a generation model by a request for its list of models, which is faster than a generation and free. Ignores
 * the list itself, because endpoints accept names that they do not list; a 404 also proves that the endpoint answers.
 * @throws {InferenceError}
 */
export async function probeGeneration(address: ModelAddress, signal: AbortSignal): Promise<void> {
  const { status, body } = await request(address, signal);
  await body?.cancel();
  if (status >= 500) throw failureOf('unreachable');
  if (status === 408) throw failureOf('timeout');
  if (refusals.includes(status)) throw failureOf('refused', status);
}

async function request(address: ModelAddress, signal: AbortSignal): Promise<Response> {
  try {
    return await limitedFetch(`${address.baseURL.replace(/\/$/, '')}/models`, {
      headers: headersOf(address),
      signal,
    });
  } catch (error) {
    if (error instanceof InferenceError) throw error;
    // The message of `fetch` contains the address.
    throw failureOf(signal.aborted ? 'timeout' : 'unreachable');
  }
}
