export { type FlushDeps, runFlush } from './run.ts';
export { flushJob, scheduleDueFlushes, scheduleMs, sweepForgottenFlushes } from './schedule.ts';
