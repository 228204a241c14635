import { InferenceError } from '@continuity/shared/inference';
import { withinTime } from '@continuity/shared/kernel';
import { type Check, probeMs } from './probe.ts';

/** For how long an answer is kept: that of a model that could not be asked for less. */
const keptMs = 300_000;
const keptFailureMs = 30_000;

/** What the probes of a model say, asked once for all who want to know and then kept for a while (spec 10 §2.3). */
export class ModelCheck {
  readonly #probe: () => Promise<void>;
  #known: Check = 'not_ready';
  #until = Number.NEGATIVE_INFINITY;
  #asking: Promise<Check> | undefined;

  /** `probe` resolves where the model works as it is configured, else rejects with an `InferenceError`. */
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

/** Too many requests: the endpoint knows who asks, and wants to be asked later. */
const tooManyRequests = 429;

function checkOf(error: unknown): Check {
  if (!(error instanceof InferenceError)) return 'timeout';
  if (error.reason === 'timeout') return 'timeout';
  return isMisconfigured(error) ? 'misconfigured' : 'unavailable';
}

/** Whether the endpoint answered, and what it answered is for an operator to mend. */
export function isMisconfigured({ reason, status }: InferenceError): boolean {
  return reason === 'invalid_output' || (reason === 'refused' && status !== tooManyRequests);
}
