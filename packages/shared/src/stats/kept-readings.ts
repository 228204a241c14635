import { LRUCache } from 'lru-cache';
import type { KeptReading } from './kept-reading.ts';

/** Most memory that readings take in one process, about. */
const mostBytes = 64 * 1024 * 1024;

/** How long a reading is read again by what has changed, before all of it is read anew. */
const lifeMs = 60_000;

/**
 * The readings of statistics that a process keeps, by what was asked. One that is read again takes the place of the one before;
 * its life is still that of the first. That bounds what nothing else would tell: a server that went on from an older state, as
 * one that was restored from a backup or took over from another, counts its transactions from there again.
 */
export class KeptReadings {
  readonly #kept = new LRUCache<string, KeptReading>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }, asked) => bytes + 2 * asked.length,
    ttl: lifeMs,
    ttlAutopurge: true,
    noUpdateTTL: true,
  });

  get(asked: string): KeptReading | undefined {
    return this.#kept.get(asked);
  }

  /** Keeps a reading that was made from `before`, or from nothing, unless another one came first. */
  put(asked: string, before: KeptReading | undefined, reading: KeptReading): void {
    if (this.#kept.peek(asked) === before) this.#kept.set(asked, reading);
  }
}
