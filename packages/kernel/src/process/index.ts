export { returnIdleMemory, touchWhileAlive } from './liveness.ts';
export { type Backoff, backoffMs, backoffSql, type Repetition, repeat } from './repeat.ts';
export {
  type ReadyMessage,
  refuseUsedPort,
  reportReady,
  runToEnd,
  runUntilSignal,
  StartRefusedError,
} from './run.ts';
export { type Clock, pause, systemClock, TimeLimitError, utcDate, withTimeLimit } from './time.ts';
