import type { Settings } from '@continuity/kernel/config';
import type { Metrics, ModelPurpose } from '@continuity/kernel/telemetry';
import { createBuiltinEmbedder } from './builtin-embedder.ts';
import { createEmbedder } from './embedder.ts';
import { failureOf, InferenceError } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import {
  type Embedder,
  type EmbeddingEndpoint,
  headersOf,
  type ModelAddress,
  type ModelEndpoint,
} from './model-endpoint.ts';
import type { RerankEndpoint } from './score-texts.ts';

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

/** The embedder of this process: the configured model, else the built-in one (spec 26 S14); undefined if there is neither. */
export function openEmbedder(settings: Settings, metrics: Metrics): Embedder | undefined {
  const endpoint = embeddingEndpoint(settings, metrics);
  if (endpoint !== undefined) return createEmbedder(endpoint);
  const { EMBEDDER: isOn, EMBEDDER_URL: url, INFERENCE_EMBEDDING_TIMEOUT_MS: timeoutMs } = settings;
  return isOn && url !== undefined ? createBuiltinEmbedder({ url, timeoutMs }) : undefined;
}

function embeddingEndpoint(settings: Settings, metrics: Metrics): EmbeddingEndpoint | undefined {
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
    prefixes: {
      query: settings.INFERENCE_EMBEDDING_QUERY_PREFIX,
      passage: settings.INFERENCE_EMBEDDING_PASSAGE_PREFIX,
    },
    apiKey: settings.INFERENCE_EMBEDDING_API_KEY ?? sharedKey,
    timeoutMs: settings.INFERENCE_EMBEDDING_TIMEOUT_MS,
    sendsTrace: settings.INFERENCE_TRACE_CONTEXT,
    ...measured(metrics, 'embedding'),
  };
}

/** The configured endpoint of a reranker, undefined if none is. */
export function rerankEndpoint(settings: Settings, metrics: Metrics): RerankEndpoint | undefined {
  if (settings.MEMORY_RERANK_URL === undefined) return undefined;
  return {
    url: settings.MEMORY_RERANK_URL,
    format: settings.MEMORY_RERANK_FORMAT,
    model: settings.MEMORY_RERANK_MODEL,
    apiKey: settings.MEMORY_RERANK_API_KEY,
    timeoutMs: settings.MEMORY_RERANK_TIMEOUT_MS,
    sendsTrace: settings.INFERENCE_TRACE_CONTEXT,
    ...measured(metrics, 'rerank'),
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
