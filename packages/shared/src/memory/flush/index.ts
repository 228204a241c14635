export { type Flushing, runFlush } from './run.ts';
export { flushJob, scheduleDueFlushes, scheduleMs, sweepForgottenFlushes } from './schedule.ts';
