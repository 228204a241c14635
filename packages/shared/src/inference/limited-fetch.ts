import { InferenceError } from './errors.ts';

/** Limit of the body of one answer, in bytes. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * `fetch` for the endpoints of models. It follows no redirect, because that would send the prompt and the key to another host, and
 * reads at most 8 MiB of an answer. @throws {InferenceError} for either
 */
export const limitedFetch: typeof fetch = (input, init) => fetchAtMost(maxAnswerBytes, input, init);

/** As `limitedFetch`, with another limit of the answer in bytes. */
export async function fetchAtMost(
  maxBytes: number,
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new InferenceError(
      'refused',
      'The model endpoint redirects. Set its final address.',
      response.status,
    );
  }
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw tooLong(maxBytes);
  }
  if (response.body === null) return response;
  const body = response.body.pipeThrough(limitBytes(maxBytes));
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

/** Passes at most `limit` bytes on, and fails for more. */
function limitBytes(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(tooLong(limit));
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(limit: number): InferenceError {
  return new InferenceError('invalid_output', `The answer of the model is over ${limit / 1024 ** 2} MiB.`);
}
