import type { Logger } from '../telemetry/logger.ts';
import { withTimeLimit } from './time.ts';

/** Default limit of one step of a close, in milliseconds. */
const stepLimitMs = 5_000;

/** Time that the end of requests and jobs may take beyond the grace period, in milliseconds: the last answers, and requeues. */
export const drainMs = 4_000;

interface CloseStep {
  name: string;
  close: () => unknown;
  limitMs: number;
}

/**
 * The open resources of a process. Whoever opens a resource registers its close at once. The closes run in reverse order, so that a
 * resource closes before those that it uses.
 */
export class Resources {
  readonly #logger: Logger;
  readonly #steps: CloseStep[] = [];
  #closed: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Registers how to close what was just opened. `name` is for the log; `limitMs` is the longest time that the step may take before
   * the next one runs.
   */
  onClose(name: string, close: () => unknown, limitMs = stepLimitMs): void {
    this.#steps.push({ name, close, limitMs });
  }

  /**
   * Closes everything, the newest first. A step that fails or exceeds its limit is logged and skips no other step. Rejects with the
   * error of the first such step after all have run. Idempotent: later calls get the result of the first one.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      const { name, close, limitMs } = step;
      try {
        await withTimeLimit(
          (async () => {
            await close();
          })(),
          limitMs,
        );
      } catch (error) {
        this.#logger.error({ err: error, resource: name }, 'a resource could not be closed');
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
