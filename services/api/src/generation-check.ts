import { probeGeneration } from '@continuity/shared/inference';
import type { Settings } from '@continuity/shared/kernel';
import { ModelCheck } from './model-check.ts';
import { probeMs } from './probe.ts';

/** What readiness asks of the generation model that the settings name; null where they name none. */
export function openGenerationCheck(settings: Settings): ModelCheck | null {
  const {
    INFERENCE_GENERATION_MODEL: model,
    INFERENCE_BASE_URL: baseURL,
    INFERENCE_API_KEY: apiKey,
  } = settings;
  if (model === undefined || baseURL === undefined) return null;
  return new ModelCheck(() => probeGeneration({ baseURL, apiKey }, AbortSignal.timeout(probeMs)));
}
