import { probeGeneration } from '@continuity/shared/inference';
import type { Settings } from '@continuity/shared/kernel';
import { ModelCheck } from './model-check.ts';
import { probeMs } from './probe.ts';

/** The readiness check of the configured generation model, or null. */
export function openGenerationCheck(settings: Settings): ModelCheck | null {
  const {
    INFERENCE_GENERATION_MODEL: model,
    INFERENCE_BASE_URL: baseURL,
    INFERENCE_API_KEY: apiKey,
  } = settings;
  if (model === undefined || baseURL === undefined) return null;
  return new ModelCheck(() => probeGeneration({ baseURL, apiKey }, AbortSignal.timeout(probeMs)));
}
