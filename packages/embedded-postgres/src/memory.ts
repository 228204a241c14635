import { totalmem } from 'node:os';

const MB = 2 ** 20;

/** Limits of `shared_buffers`. The lower one is PostgreSQL's default, and fits about 50,000 Memory entries. */
const LEAST = 128 * MB;
const MOST = 1_024 * MB;

/** PostgreSQL recommends a quarter of the memory on a dedicated server. This server shares its machine. */
const SHARE = 1 / 8;

/**
 * Returns `shared_buffers` for a machine with `memoryBytes` of memory. PostgreSQL allocates it page by page as it reads data,
 * so a small database uses less.
 */
export function sharedBuffers(memoryBytes: number): string {
  return `${Math.floor(Math.min(MOST, Math.max(LEAST, memoryBytes * SHARE)) / MB)}MB`;
}

/** Memory limit of this process in bytes: that of the container, or the memory of the machine. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  // Without a limit, `constrainedMemory` returns 0 or a number above the memory of the machine.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
