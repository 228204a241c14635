import type { Settings } from '@continuity/kernel/config';
import type { Metrics, ModelPurpose } from '@continuity/kernel/telemetry';
import type { EmbeddingEndpoint } from './embedding.ts';
import type { ModelAddress, ModelEndpoint } from './model-endpoint.ts';

/** Anthropic's own API. */
const anthropicURL = 'https://api.anthropic.com/v1';

/** Endpoint of the configured generation model; undefined if none is configured. */
export function generationAddress(settings: Settings): (ModelAddress & { model: string }) | undefined {
  const {
    INFERENCE_GENERATION_MODEL: model,
    INFERENCE_PROVIDER: provider,
    INFERENCE_API_KEY: apiKey,
  } = settings;
  const baseURL = settings.INFERENCE_BASE_URL ?? (provider === 'anthropic' ? anthropicURL : undefined);
  return model === undefined || baseURL === undefined ? undefined : { provider, baseURL, apiKey, model };
}

/** The configured generation model, undefined if none is. Metrics record its requests under `purpose`. */
export function generationEndpoint(
  settings: Settings,
  metrics: Metrics,
  purpose: ModelPurpose,
): (ModelEndpoint & { maxRequests: number }) | undefined {
  const address = generationAddress(settings);
  if (address === undefined) return undefined;
  return {
    ...address,
    timeoutMs: settings.INFERENCE_GENERATION_TIMEOUT_MS,
    sendsTrace: settings.INFERENCE_TRACE_CONTEXT,
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
    sendsTrace: settings.INFERENCE_TRACE_CONTEXT,
    ...measured(metrics, 'embedding'),
  };
}

function measured(
  metrics: Metrics,
  purpose: ModelPurpose,
): Required<Pick<ModelEndpoint, 'onRequest' | 'onUsage'>> {
  return {
    onRequest: (outcome, ms) => metrics.recordModelRequest(purpose, outcome, ms),
    onUsage: ({ input_tokens, output_tokens }) =>
      metrics.recordModelTokens(purpose, input_tokens, output_tokens),
  };
}
