import { availableParallelism } from 'node:os';
import type { Settings } from '@continuity/kernel/config';

/** Concurrent jobs if they wait for a model. Without a model, the upper limit. */
const maxConcurrency = 8;

/**
 * Concurrent jobs of the workers for each queue, unless `WORKER_CONCURRENCY` is set. Without a model, jobs take processor time in the
 * worker and in PostgreSQL, so they get half of the processors and leave the others to requests.
 */
export function workerConcurrency(
  { INFERENCE_GENERATION_MODEL: generates, INFERENCE_EMBEDDING_MODEL: embeds }: Settings,
  processors: number = availableParallelism(),
): number {
  if (generates !== undefined || embeds !== undefined) return maxConcurrency;
  return Math.min(maxConcurrency, Math.max(1, Math.floor(processors / 2)));
}
