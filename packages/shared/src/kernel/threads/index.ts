export { asBuffer } from '../bytes.ts';
export { PoolBusyError, ThreadPool, type ThreadPoolOptions } from './pool.ts';
export { lowerGarbageCollectionPriority, lowerThreadPriority } from './priority.ts';
export { serveTasks } from './serve.ts';
export { ThreadEndedError } from './thread.ts';
export { transferableBuffers } from './transfer.ts';
