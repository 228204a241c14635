import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { traceHeaders } from '@continuity/kernel/telemetry';
import { embedMany } from 'ai';
import { InferenceError } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import { type Embedded, type EmbeddingEndpoint, toTokenCount } from './model-endpoint.ts';
import { asInferenceError } from './sdk-errors.ts';

/**
 * Scales a vector to length 1 in single precision. Null, a failed embedding, for another dimension, a value that is not finite, or a
 * zero vector (spec 20 S9).
 */
export function toUnitVector(values: readonly number[], dimension: number): Float32Array | null {
  if (values.length !== dimension || !values.every(Number.isFinite)) return null;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return null;
  // Scale first: squares of large values overflow, squares of small ones underflow.
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  const unit = Float32Array.from(scaled, (value) => value / length);
  return unit.every(Number.isFinite) ? unit : null;
}

/** Embeds texts by one request of the AI SDK. @throws {InferenceError} */
export async function embedTexts(
  endpoint: EmbeddingEndpoint,
  texts: string[],
  signal: AbortSignal | undefined,
): Promise<Embedded> {
  const { baseURL, apiKey, timeoutMs, dimension } = endpoint;
  const provider = createOpenAICompatible({
    name: 'inference',
    baseURL,
    fetch: limitedFetch,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
  try {
    const { embeddings, usage } = await embedMany({
      model: provider.embeddingModel(endpoint.model),
      values: texts,
      maxRetries: 0,
      abortSignal: limit,
      headers: endpoint.sendsTrace ? traceHeaders() : {},
      telemetry: { isEnabled: false },
    });
    if (embeddings.length !== texts.length)
      throw new InferenceError('invalid_output', 'The model gave another number of vectors than of texts.');
    return {
      vectors: embeddings.map((values) => toUnitVector(values, dimension)),
      usage: { requests: 1, input_tokens: toTokenCount(usage.tokens), output_tokens: null },
    };
  } catch (error) {
    throw asInferenceError(error, limit.aborted);
  }
}
