import { setImmediate, setTimeout } from 'node:timers/promises';
import type { EmbedInputType, EmbedRequest } from '@continuity/contract/embedder';
import type { EmbeddedText, EmbeddingModel } from './model/embedding-model.ts';

/** Limit of the texts that wait. With 8 KB each, they take 32 MB. */
const maxWaiting = 4096;

/** A text that takes so many times its processor time shares the processors with other processes. */
const sharedFactor = 1.5;

/** Limits of a pause between two texts, in milliseconds. A shorter one than the first is left out. */
const minPauseMs = 2;
const maxPauseMs = 250;

/**
 * Share of a processor, of each thread, below which no pause takes a batch. Beside many busy processes the scheduler leaves it less
 * already, and so does a limit of the container, whose processes may be alone.
 */
const leastShare = 0.1;

/** Measures a text, and pauses. Replaced by tests. */
export interface Pacing {
  /** The time, in milliseconds. */
  now(): number;
  /** Processor time of this process, in milliseconds. */
  processorMs(): number;
  /** Resolves after so many milliseconds, or when `signal` is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const realTime: Pacing = {
  now: () => performance.now(),
  processorMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};

/** A request of which some texts are embedded. */
interface Waiting {
  texts: readonly string[];
  type: EmbedInputType;
  embedded: EmbeddedText[];
  signal: AbortSignal;
  resolve: (embedded: EmbeddedText[]) => void;
  reject: (error: unknown) => void;
}

/** Thrown for a request that would exceed the limit of waiting texts. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

/**
 * Embeds the texts of all requests one after the other: queries before the batches of workers, and of each kind the request that has the
 * fewest left, the oldest of these. Where other processes need the processors, it pauses before each text of a batch: see `pauseAfter`.
 */
export class TextQueue {
  readonly #model: Pick<EmbeddingModel, 'embed'>;
  readonly #pacing: Pacing;
  readonly #threads: number;
  #waiting: Waiting[] = [];
  #isRunning = false;
  /** Ends the current pause. */
  #pausing = new AbortController();

  /** `threads` is the number of threads on which the model runs. */
  constructor(model: Pick<EmbeddingModel, 'embed'>, threads = 1, pacing = realTime) {
    this.#model = model;
    this.#threads = threads;
    this.#pacing = pacing;
  }

  /**
   * Embeds the texts of a request. `signal` drops those that are left when the client is gone. @throws {QueueFullError}
   */
  embed({ input, input_type }: EmbedRequest, signal: AbortSignal): Promise<EmbeddedText[]> {
    const waiting = this.#waiting.reduce((sum, request) => sum + leftOf(request), 0);
    if (waiting + input.length > maxWaiting) return Promise.reject(new QueueFullError('The queue is full.'));
    const { promise, resolve, reject } = Promise.withResolvers<EmbeddedText[]>();
    this.#waiting.push({ texts: input, type: input_type, embedded: [], signal, resolve, reject });
    this.#pausing.abort();
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let pauseMs = 0;
    for (let request = this.#next(); request !== undefined; request = this.#next()) {
      if (pauseMs > 0 && isBatch(request)) {
        this.#pausing = new AbortController();
        await this.#pacing.pause(pauseMs, this.#pausing.signal);
        pauseMs = 0;
        // A query may have arrived.
        continue;
      }
      const begun = { at: this.#pacing.now(), processorMs: this.#pacing.processorMs() };
      await this.#embedNext(request);
      const tookMs = this.#pacing.now() - begun.at;
      const processorMs = (this.#pacing.processorMs() - begun.processorMs) / this.#threads;
      pauseMs = pauseAfter(tookMs, processorMs);
      // The model keeps the event loop busy: requests that have arrived meanwhile are read here.
      await setImmediate();
    }
    this.#isRunning = false;
  }

  async #embedNext(request: Waiting): Promise<void> {
    try {
      const text = request.texts[request.embedded.length] ?? '';
      request.embedded.push(await this.#model.embed(text, request.type));
      if (leftOf(request) > 0) return;
      request.resolve(request.embedded);
    } catch (error) {
      request.reject(error);
    }
    this.#waiting = this.#waiting.filter((other) => other !== request);
  }

  #next(): Waiting | undefined {
    for (const { signal, reject } of this.#waiting) if (signal.aborted) reject(signal.reason);
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    return this.#waiting.reduce<Waiting | undefined>(
      (first, request) => (first === undefined || isBefore(request, first) ? request : first),
      undefined,
    );
  }
}

/**
 * The pause after a text that had `processorMs` of processor time in `tookMs`: as long as the text took where other processes need the
 * processors, because a low priority alone leaves a batch a sixth of two processors that other processes want.
 */
function pauseAfter(tookMs: number, processorMs: number): number {
  if (tookMs <= sharedFactor * processorMs) return 0;
  const pauseMs = Math.min(tookMs, maxPauseMs, processorMs / leastShare - tookMs);
  return pauseMs < minPauseMs ? 0 : pauseMs;
}

/** Whether a worker sent it, for whom no caller waits. */
function isBatch({ type, texts }: Waiting): boolean {
  return type === 'passage' && texts.length > 1;
}

/** Whether a request goes before an older one. */
function isBefore(request: Waiting, older: Waiting): boolean {
  if (isBatch(request) !== isBatch(older)) return isBatch(older);
  return leftOf(request) < leftOf(older);
}

function leftOf({ texts, embedded }: Waiting): number {
  return texts.length - embedded.length;
}
