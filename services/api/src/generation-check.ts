import type { Settings } from '@continuity/kernel/config';
import { generationAddress, probeGeneration } from '@continuity/shared/inference';
import { ModelCheck } from './model-check.ts';
import { probeMs } from './probe.ts';

/** The readiness check of the configured generation model, or null. */
export function openGenerationCheck(settings: Settings): ModelCheck | null {
  const address = generationAddress(settings);
  if (address === undefined) return null;
  return new ModelCheck(() => probeGeneration(address, AbortSignal.timeout(probeMs)));
}
