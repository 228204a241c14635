import { LRUCache } from 'lru-cache';
import type { KeptReading } from './kept-reading.ts';

/** Most memory that readings take in one process, about. */
const mostBytes = 64 * 1024 * 1024;

/** How long a reading is read again by what has changed, before all of it is read anew. */
const lifeMs = 60_000;

/**
 * The readings of statistics that a process keeps, by what was asked. One that is read again takes the place of the one before;
 * its life is still that of the first. That bounds what nothing else would tell: a server that went on from an older state
 * counts its transactions from there again. One that was restored from a backup or took over from another does, and also one
 * that crashed: it has lost the last counters, for which nobody waits until they are on the disk. A crash and nearly every change of
 * servers break connections, so that all readings are to be cleared when one is lost.
 */
export class KeptReadings {
  readonly #kept = new LRUCache<string, KeptReading>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }, asked) => bytes + 2 * asked.length,
    ttl: lifeMs,
    ttlAutopurge: true,
    noUpdateTTL: true,
  });

  #era = 0;

  /** Another one after each `clear`: a reading that began in an earlier one is not to be kept. */
  get era(): number {
    return this.#era;
  }

  get(asked: string): KeptReading | undefined {
    return this.#kept.get(asked);
  }

  /** Keeps a reading that was made from `before`, or from nothing, unless another one came first. */
  put(asked: string, before: KeptReading | undefined, reading: KeptReading): void {
    if (this.#kept.peek(asked) === before) this.#kept.set(asked, reading);
  }

  /** For a server that may have gone on from an older state. */
  clear(): void {
    this.#era += 1;
    this.#kept.clear();
  }
}
