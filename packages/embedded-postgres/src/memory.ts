import { totalmem } from 'node:os';

const MB = 2 ** 20;

/** What PostgreSQL takes by itself: about fifty thousand entries of Memory. */
const LEAST = 128 * MB;
const MOST = 1_024 * MB;

/** A server that has its machine for itself is given a quarter; this one shares it with whoever works there. */
const SHARE = 1 / 8;

/**
 * Value of `shared_buffers` for a machine with so many bytes of memory. It is taken page by page as data is read: a small
 * database takes no more than it has.
 */
export function sharedBuffers(memoryBytes: number): string {
  return `${Math.floor(Math.min(MOST, Math.max(LEAST, memoryBytes * SHARE)) / MB)}MB`;
}

/** Bytes of memory that this process may have: of the machine, or less in a container. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  // 0 where there is no limit, and far more than there is where the limit means none.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
