import type { Logger } from '../telemetry/logger.ts';
import { withTimeLimit } from './time.ts';

/** Default limit of one step of a close, in milliseconds. */
const stepLimitMs = 5_000;

/** Time that the end of requests and jobs may take beyond the grace period, in milliseconds: the last answers, and requeues. */
const drainMs = 4_000;

/** Default time beyond the grace period until the process ends by force, in milliseconds: the drain, then all connections. */
const defaultClosingMs = drainMs + 1_000;

/** Time that each following step has left at least, in milliseconds, however long the steps before it hang. */
const reservedMs = 50;

/** Limit of a step in milliseconds; or `grace` for what lets requests or jobs end: the rest of the grace period, and the drain. */
type StepLimit = number | 'grace';

interface CloseStep {
  name: string;
  close: (graceMs: number) => unknown;
  limit: StepLimit;
}

interface ResourcesOptions {
  /** Time in which requests and jobs may end, in milliseconds from the begin of the close. */
  graceMs: number;
  /** Time beyond it in which all steps end, in milliseconds. */
  closingMs?: number;
}

/**
 * The open resources of a process. Whoever opens a resource registers its close at once. The closes run in reverse order, so that a
 * resource closes before those that it uses. All share one deadline: the time that a step takes is missing to the following ones.
 */
export class Resources {
  /** Time in which `close` resolves, in milliseconds. */
  readonly totalMs: number;
  readonly #logger: Logger;
  readonly #graceMs: number;
  readonly #steps: CloseStep[] = [];
  #closed: Promise<void> | undefined;

  constructor(logger: Logger, { graceMs, closingMs = defaultClosingMs }: ResourcesOptions) {
    this.#logger = logger;
    this.#graceMs = graceMs;
    this.totalMs = graceMs + closingMs;
  }

  /**
   * Registers how to close what was just opened. `name` is for the log; `limit` is the longest time that the step may take before the next
   * one runs. `close` gets the rest of the grace period in milliseconds.
   */
  onClose(name: string, close: (graceMs: number) => unknown, limit: StepLimit = stepLimitMs): void {
    this.#steps.push({ name, close, limit });
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
    const begun = performance.now();
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      const { name, close, limit } = step;
      const elapsed = performance.now() - begun;
      const graceMs = Math.max(0, this.#graceMs - elapsed);
      const left = this.totalMs - elapsed - reservedMs * this.#steps.length;
      const limitMs = Math.max(reservedMs, Math.min(limit === 'grace' ? graceMs + drainMs : limit, left));
      try {
        await withTimeLimit(
          (async () => {
            await close(graceMs);
          })(),
          limitMs,
        );
      } catch (error) {
        this.#logger.error({ err: error, resource: name }, `the resource ${name} could not be closed`);
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
