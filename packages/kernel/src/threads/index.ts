export { PoolBusyError, ThreadPool } from './pool.ts';
export { lowerGarbageCollectionPriority, lowerThreadPriority } from './priority.ts';
export { asBuffer, defineThread, ThreadEndedError, transferableBuffers } from './thread.ts';
