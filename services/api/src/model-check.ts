import { InferenceError } from '@continuity/shared/inference';
import { withinTime } from '@continuity/shared/kernel';
import { type Check, probeMs } from './probe.ts';

/** Cache lifetimes of a result in milliseconds; shorter for a failed probe. */
const keptMs = 300_000;
const keptFailureMs = 30_000;

/** Probes a model. Coalesces concurrent checks and caches the result (spec 10 §2.3). */
export class ModelCheck {
  readonly #probe: () => Promise<void>;
  #known: Check = 'not_ready';
  #until = Number.NEGATIVE_INFINITY;
  #asking: Promise<Check> | undefined;

  /** `probe` resolves if the model works as configured, else rejects with an `InferenceError`. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  async read(): Promise<Check> {
    if (performance.now() < this.#until) return this.#known;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async #ask(): Promise<Check> {
    this.#known = await withinTime(this.#probe(), probeMs).then(() => 'ready' as const, checkOf);
    const isKept = this.#known === 'ready' || this.#known === 'misconfigured';
    this.#until = performance.now() + (isKept ? keptMs : keptFailureMs);
    return this.#known;
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
