import type { Metrics, ModelPurpose, Settings } from '../kernel/index.ts';
import type { EmbeddingEndpoint } from './embedder.ts';
import type { ModelEndpoint } from './model-endpoint.ts';

/** The configured generation model, undefined if none is. Metrics record its requests under `purpose`. */
export function generationEndpoint(
  settings: Settings,
  metrics: Metrics,
  purpose: ModelPurpose,
): (ModelEndpoint & { maxRequests: number }) | undefined {
  const { INFERENCE_GENERATION_MODEL: model, INFERENCE_BASE_URL: baseURL } = settings;
  if (model === undefined || baseURL === undefined) return undefined;
  return {
    baseURL,
    model,
    apiKey: settings.INFERENCE_API_KEY,
    timeoutMs: settings.INFERENCE_GENERATION_TIMEOUT_MS,
    maxRequests: settings.INFERENCE_GENERATION_MAX_REQUESTS,
    ...measured(metrics, purpose),
  };
}

/** The configured embedding model, undefined if none is. */
export function embeddingEndpoint(settings: Settings, metrics: Metrics): EmbeddingEndpoint | undefined {
  const {
    INFERENCE_EMBEDDING_MODEL: model,
    INFERENCE_EMBEDDING_PROFILE_ID: profileId,
    INFERENCE_EMBEDDING_DIMENSION: dimension,
    INFERENCE_EMBEDDING_BASE_URL: ownURL,
  } = settings;
  const baseURL = ownURL ?? settings.INFERENCE_BASE_URL;
  if (model === undefined || profileId === undefined || dimension === undefined || baseURL === undefined)
    return undefined;
  // Never send the key of one endpoint to another.
  const sharedKey = ownURL === undefined ? settings.INFERENCE_API_KEY : undefined;
  return {
    baseURL,
    model,
    profileId,
    dimension,
    apiKey: settings.INFERENCE_EMBEDDING_API_KEY ?? sharedKey,
    timeoutMs: settings.INFERENCE_EMBEDDING_TIMEOUT_MS,
    ...measured(metrics, 'embedding'),
  };
}

function measured(
  metrics: Metrics,
  purpose: ModelPurpose,
): Required<Pick<ModelEndpoint, 'onRequest' | 'onUsage'>> {
  return {
    onRequest: (outcome, ms) => metrics.modelRequest(purpose, outcome, ms),
    onUsage: ({ input_tokens, output_tokens }) => metrics.modelTokens(purpose, input_tokens, output_tokens),
  };
}
