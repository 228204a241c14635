import { withTimeLimit } from '@continuity/kernel/process';
import { InferenceError } from '@continuity/shared/inference';
import { type Check, probeMs } from './probe.ts';

/** Times to live of a cached result, in milliseconds. A failure that can end by itself has the shorter one. */
const settledCacheMs = 300_000;
const failureCacheMs = 30_000;

/** Probes a model. Coalesces concurrent checks and caches the result (spec 10 §2.2.3). */
export class ModelCheck {
  readonly #probe: () => Promise<void>;
  #result: Check = 'not_ready';
  #expiresAt = Number.NEGATIVE_INFINITY;
  #running: Promise<Check> | undefined;

  /** `probe` resolves if the model works as configured, else rejects with an `InferenceError`. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  async read(): Promise<Check> {
    if (performance.now() < this.#expiresAt) return this.#result;
    this.#running ??= this.#runProbe().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  async #runProbe(): Promise<Check> {
    this.#result = await withTimeLimit(this.#probe(), probeMs).then(() => 'ready' as const, checkOf);
    const isSettled = this.#result === 'ready' || this.#result === 'misconfigured';
    this.#expiresAt = performance.now() + (isSettled ? settledCacheMs : failureCacheMs);
    return this.#result;
  }
}

/** HTTP status for too many requests. A retry can succeed, so it is not a misconfiguration. */
const tooManyRequests = 429;

function checkOf(error: unknown): Check {
  if (!(error instanceof InferenceError)) return 'timeout';
  if (error.reason === 'timeout') return 'timeout';
  return isMisconfigured(error) ? 'misconfigured' : 'unavailable';
}

/** Whether the endpoint answered with a failure that the operator must fix. */
export function isMisconfigured({ reason, status }: InferenceError): boolean {
  return reason === 'invalid_output' || (reason === 'refused' && status !== tooManyRequests);
}
