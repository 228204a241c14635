import { type ServiceError, serviceError } from '../errors/service-error.ts';
import { waitLimitMs } from './service-pool.ts';

/**
 * A key is stuck if none of its work has begun or ended for this long, in milliseconds. Its waiting work is refused. Shorter, it would
 * refuse work whenever a busy disk holds the commits up, and call that a locked row.
 */
const stuckMs = 3_000;

/** Interval of the checks of a key whose work waits, in milliseconds. */
const checkMs = 100;

interface Waiter {
  since: number;
  begin: () => void;
  refuse: (error: ServiceError) => void;
}

interface Share {
  running: number;
  waiting: Waiter[];
  /**
   * When work of the key last began or ended, or may have waited for a connection. Moved by the time in which this process could
   * not run.
   */
  progressAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Lets the work of one key hold at most half of the connections that other keys leave, and always one. Further work of the key
 * waits without a connection, and is refused with 503 if the key is stuck: its connections wait for a row that a frozen process
 * has locked. So a locked row does not take all connections of a pool.
 */
export class ConnectionLimit {
  readonly #size: number;
  readonly #isPoolBusy: () => boolean;
  /** Connections that the work of all keys holds. */
  #running = 0;
  readonly #shares = new Map<string, Share>();

  /**
   * `size` is the number of connections of the pool. `isPoolBusy` returns whether work waits for a connection. A key without
   * progress may be waiting for one too, so its time without progress begins when the pool is free.
   */
  constructor(size: number, isPoolBusy: () => boolean) {
    this.#size = size;
    this.#isPoolBusy = isPoolBusy;
  }

  /** Runs `work`, which takes one connection. Rejects with 503 `database_unavailable` if the key is stuck. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shareOf(key);
    await this.#begin(share);
    try {
      return await work();
    } finally {
      this.#end(key, share);
    }
  }

  #shareOf(key: string): Share {
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    const share = { running: 0, waiting: [], progressAt: 0, timer: undefined };
    this.#shares.set(key, share);
    return share;
  }

  async #begin(share: Share): Promise<void> {
    const others = this.#running - share.running;
    if (share.running < Math.max(1, Math.floor((this.#size - others) / 2))) {
      share.running += 1;
      this.#running += 1;
      share.progressAt = performance.now();
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    share.waiting.push({ since: performance.now(), begin: resolve, refuse: reject });
    this.#watch(share, Math.min(checkMs, Math.max(0, share.progressAt + stuckMs - performance.now())));
    await promise;
  }

  #end(key: string, share: Share): void {
    share.progressAt = performance.now();
    const next = share.waiting.shift();
    if (next !== undefined) {
      next.begin();
      return;
    }
    share.running -= 1;
    this.#running -= 1;
    if (share.running > 0) return;
    clearTimeout(share.timer);
    this.#shares.delete(key);
  }

  #watch(share: Share, afterMs: number): void {
    const dueAt = performance.now() + afterMs;
    // The answers that arrived while this process was busy count as progress, so they are read first.
    share.timer ??= setTimeout(() => setImmediate(() => this.#refuseStuck(share, dueAt)), afterMs);
  }

  #refuseStuck(share: Share, dueAt: number): void {
    share.timer = undefined;
    const now = performance.now();
    // Until a late check, this process was busy or frozen: the work may have got its connection only now.
    share.progressAt = this.#isPoolBusy() ? now : Math.min(now, share.progressAt + now - dueAt);
    const isStuck = now - share.progressAt >= stuckMs;
    const isRefused = ({ since }: Waiter) => isStuck || now - since >= waitLimitMs;
    const refused = share.waiting.filter(isRefused);
    share.waiting = share.waiting.filter((waiter) => !isRefused(waiter));
    for (const { refuse } of refused) refuse(busy());
    if (share.waiting.length > 0) this.#watch(share, checkMs);
  }
}

function busy(): ServiceError {
  return serviceError('database_unavailable', {
    message: 'Other writes wait for the same rows of the database. Retry after the time in Retry-After.',
  });
}
