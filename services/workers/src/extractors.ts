import { type Metrics, type Settings, SettingsError } from '@continuity/shared/kernel';
import { createBuiltinExtractor, createModelExtractor, type Extractor } from '@continuity/shared/memory';

export interface Extractors {
  /** What flushes use: the model where one is configured. */
  extractor: Extractor;
  /** What reads a Source that the model cannot. */
  builtIn: Extractor;
}

/** The extractors that the settings name. Requests to a model are counted. */
export function chooseExtractors(settings: Settings, metrics: Metrics): Extractors {
  const builtIn = createBuiltinExtractor();
  const {
    INFERENCE_GENERATION_MODEL: model,
    INFERENCE_BASE_URL: baseURL,
    INFERENCE_API_KEY: apiKey,
  } = settings;
  if (model === undefined) return { extractor: builtIn, builtIn };
  if (baseURL === undefined)
    throw new SettingsError('INFERENCE_BASE_URL must be set beside INFERENCE_GENERATION_MODEL.');
  const extractor = createModelExtractor({
    baseURL,
    model,
    ...(apiKey !== undefined && { apiKey }),
    timeoutMs: settings.INFERENCE_GENERATION_TIMEOUT_MS,
    maxRequests: settings.INFERENCE_GENERATION_MAX_REQUESTS,
    onRequest: (outcome, ms) => metrics.modelRequest('extraction', outcome, ms),
    onUsage: ({ input_tokens, output_tokens }) =>
      metrics.modelTokens('extraction', input_tokens, output_tokens),
  });
  return { extractor, builtIn };
}
