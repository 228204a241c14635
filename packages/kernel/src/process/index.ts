export { touchWhileAlive } from './liveness.ts';
export {
  type Backoff,
  backoffMs,
  backoffSql,
  type Repetition,
  RetryDelays,
  repeat,
  retryUntilStopped,
} from './repeat.ts';
export { Resources } from './resources.ts';
export {
  type ReadyMessage,
  refuseUsedPort,
  reportReady,
  runToEnd,
  runUntilSignal,
  StartRefusedError,
} from './run.ts';
export { runService, runWorkerService, type Service, serveMetrics, type WorkerProcess } from './service.ts';
export { type Clock, pause, systemClock, TimeLimitError, utcDate, withTimeLimit } from './time.ts';
