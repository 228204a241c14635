import { InferenceError } from './errors.ts';
import { type Embedder, type EmbeddingEndpoint, observeRequest } from './model-endpoint.ts';

/** The text that the service embeds to check whether an endpoint works. */
export const probeText = 'The quick brown fox jumps over the lazy dog.';

/** Checks that an endpoint embeds a text in the dimension of its profile. @throws {InferenceError} if it does not */
export async function probeEmbedder(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  const { vectors } = await embedder.embed([probeText], 'query', signal);
  if (vectors[0] != null) return;
  const { dimension } = embedder.profile;
  throw new InferenceError('invalid_output', `The model gave no usable vector of dimension ${dimension}.`);
}

/** An embedder over an OpenAI-compatible endpoint. */
export function createEmbedder(endpoint: EmbeddingEndpoint): Embedder {
  const { profileId, model, dimension, prefixes = { query: '', passage: '' } } = endpoint;
  // The SDK takes 20 MB of memory: a process without a model does not load it.
  const loading = import('./embed-texts.ts');
  return {
    profile: { profileId, model, dimension },
    async embed(texts, input, signal) {
      const { embedTexts } = await loading;
      const prefixed = texts.map((text) => prefixes[input] + text);
      const embedded = await observeRequest(endpoint, () => embedTexts(endpoint, prefixed, signal));
      if (embedded.usage !== null) endpoint.onUsage?.(embedded.usage);
      return embedded;
    },
  };
}
