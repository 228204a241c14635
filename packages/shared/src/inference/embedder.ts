import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import { traceHeaders } from '../kernel/telemetry/index.ts';
import { InferenceError } from './error.ts';
import { asInferenceError } from './failures.ts';
import type { ModelEndpoint, ModelUsage } from './model-endpoint.ts';
import { observeRequest } from './observe-request.ts';
import { tokenFigure } from './token-figure.ts';
import { unitVector } from './unit-vector.ts';

/** A vector space. Vectors of different ones are never compared (spec 20 S12). */
export interface EmbeddingProfile {
  profileId: string;
  model: string;
  dimension: number;
}

export interface EmbeddingEndpoint extends ModelEndpoint {
  profileId: string;
  dimension: number;
}

export interface Embedded {
  /** One for each text, in their order: of unit length, or null where the model gave none that can be used (spec 20 S9). */
  vectors: (Float32Array | null)[];
  usage: ModelUsage;
}

export interface Embedder {
  readonly profile: EmbeddingProfile;
  /** Embeds texts by one request. @throws {InferenceError} */
  embed(texts: string[], signal?: AbortSignal): Promise<Embedded>;
}

/** The text that the service embeds to check whether an endpoint works. */
export const probeText = 'The quick brown fox jumps over the lazy dog.';

/** Asks for one vector. Throws where there comes none of the profile's dimension. @throws {InferenceError} */
export async function probeEmbedder(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  const { vectors } = await embedder.embed([probeText], signal);
  if (vectors[0] != null) return;
  const { dimension } = embedder.profile;
  throw new InferenceError('invalid_output', `The model gave no usable vector of dimension ${dimension}.`);
}

/** An embedder over an OpenAI-compatible endpoint. */
export function createEmbedder(endpoint: EmbeddingEndpoint): Embedder {
  const { baseURL, apiKey, profileId, dimension, timeoutMs } = endpoint;
  const provider = createOpenAICompatible({
    name: 'inference',
    baseURL,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const model = provider.embeddingModel(endpoint.model);
  return {
    profile: { profileId, model: endpoint.model, dimension },
    async embed(texts, signal) {
      const embedded = await observeRequest(endpoint, () => ask(texts, signal));
      endpoint.onUsage?.(embedded.usage);
      return embedded;
    },
  };

  async function ask(texts: string[], signal: AbortSignal | undefined): Promise<Embedded> {
    const limit = AbortSignal.any([
      AbortSignal.timeout(timeoutMs),
      ...(signal === undefined ? [] : [signal]),
    ]);
    try {
      const { embeddings, usage } = await embedMany({
        model,
        values: texts,
        maxRetries: 0,
        abortSignal: limit,
        headers: traceHeaders(),
        telemetry: { isEnabled: false },
      });
      if (embeddings.length !== texts.length)
        throw new InferenceError('invalid_output', 'The model gave another number of vectors than of texts.');
      return {
        vectors: embeddings.map((values) => unitVector(values, dimension)),
        usage: {
          requests: 1,
          input_tokens: tokenFigure(usage.tokens),
          output_tokens: null,
        },
      };
    } catch (error) {
      throw asInferenceError(error, limit.aborted);
    }
  }
}
