import type { Settings } from '@continuity/kernel/config';
import type { Metrics } from '@continuity/kernel/telemetry';
import { generationEndpoint } from '@continuity/shared/inference';
import { createReranker, type Reranker } from '@continuity/shared/memory';

/** The configured reranker, or null. */
export function openReranker(settings: Settings, metrics: Metrics): Reranker | null {
  const endpoint = generationEndpoint(settings, metrics, 'rerank');
  if (!settings.MEMORY_RERANK_ENABLED || endpoint === undefined) return null;
  return createReranker(endpoint, settings.MEMORY_RERANK_CANDIDATE_LIMIT);
}
