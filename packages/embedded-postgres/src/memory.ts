import { totalmem } from 'node:os';

const bytesPerMib = 2 ** 20;

/** Limits of `shared_buffers`. The lower one is PostgreSQL's default, and fits about 50,000 Memory entries. */
const leastBytes = 128 * bytesPerMib;
const mostBytes = 1_024 * bytesPerMib;

/** PostgreSQL recommends a quarter of the memory on a dedicated server. This server shares its machine. */
const share = 1 / 8;

/**
 * Returns `shared_buffers` for a machine with `memoryBytes` of memory. PostgreSQL allocates it page by page as it reads data,
 * so a small database uses less.
 */
export function sharedBuffers(memoryBytes: number): string {
  return `${Math.floor(Math.min(mostBytes, Math.max(leastBytes, memoryBytes * share)) / bytesPerMib)}MB`;
}

/** Memory limit of this process in bytes: that of the container, or the memory of the machine. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  // Without a limit, `constrainedMemory` returns 0 or a number above the memory of the machine.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
