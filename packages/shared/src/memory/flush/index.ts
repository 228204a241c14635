export { type FlushDeps, runFlush } from './run.ts';
export { flushJob, scheduleDueFlushes, scheduleMs, sweepLostFlushes } from './schedule.ts';
