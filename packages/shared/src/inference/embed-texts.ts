import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { traceHeaders } from '@continuity/kernel/telemetry';
import { embedMany } from 'ai';
import { InferenceError } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import { type Embedded, type EmbeddingEndpoint, toTokenCount } from './model-endpoint.ts';
import { asInferenceError } from './sdk-errors.ts';
import { toUnitVector } from './unit-vector.ts';

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
