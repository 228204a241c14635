import { systemClock } from '@continuity/kernel/process';
import { InferenceError, InvalidAnswerError } from '@continuity/shared/inference';
import type { WorkerModels } from '@continuity/shared/jobs';

/** Time for which a refused answer is reported, in milliseconds, unless the model has a good answer before. */
const refusalMs = 300_000;

/** Limit of a reported reason, in characters. */
const maxReason = 512;

/** What this process last saw of its generation model. Its heartbeats report it. */
export class ModelState {
  #extractor: WorkerModels['memory_extractor'];
  #refusal: { reason: string; at: number } | null = null;

  constructor(extractor: WorkerModels['memory_extractor']) {
    this.#extractor = extractor;
  }

  /** Runs work of the model, and notes whether its answer was accepted. The reasons of these errors never hold content. */
  async observe<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#refusal = null;
      return result;
    } catch (error) {
      const isRefused =
        error instanceof InvalidAnswerError ||
        (error instanceof InferenceError && error.reason === 'invalid_output');
      if (isRefused)
        this.#refusal = { reason: error.message.slice(0, maxReason), at: systemClock.now().getTime() };
      throw error;
    }
  }

  /** Notes which extractor has read the last Source. */
  extractedBy(extractor: WorkerModels['memory_extractor']): void {
    this.#extractor = extractor;
  }

  report(): WorkerModels {
    const refusal = this.#refusal;
    const isRecent = refusal !== null && systemClock.now().getTime() - refusal.at < refusalMs;
    return { memory_extractor: this.#extractor, refusal: isRecent ? refusal.reason : null };
  }
}
