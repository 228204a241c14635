import type { ModelEndpoint } from '@continuity/shared/inference';
import { type Metrics, type ModelPurpose, type Settings, SettingsError } from '@continuity/shared/kernel';

/** The model that the settings name, undefined where they name none. Requests for `purpose` are counted. */
export function modelEndpoint(
  settings: Settings,
  metrics: Metrics,
  purpose: ModelPurpose,
): (ModelEndpoint & { maxRequests: number }) | undefined {
  const {
    INFERENCE_GENERATION_MODEL: model,
    INFERENCE_BASE_URL: baseURL,
    INFERENCE_API_KEY: apiKey,
  } = settings;
  if (model === undefined) return undefined;
  if (baseURL === undefined)
    throw new SettingsError('INFERENCE_BASE_URL must be set beside INFERENCE_GENERATION_MODEL.');
  return {
    baseURL,
    model,
    ...(apiKey !== undefined && { apiKey }),
    timeoutMs: settings.INFERENCE_GENERATION_TIMEOUT_MS,
    maxRequests: settings.INFERENCE_GENERATION_MAX_REQUESTS,
    onRequest: (outcome, ms) => metrics.modelRequest(purpose, outcome, ms),
    onUsage: ({ input_tokens, output_tokens }) => metrics.modelTokens(purpose, input_tokens, output_tokens),
  };
}
