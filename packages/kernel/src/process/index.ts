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
export { type ServerService, servicesOf, startOnServers } from './servers.ts';
export {
  runService,
  type ServerIdentity,
  type Service,
  serveMetrics,
  type WorkerProcess,
} from './service.ts';
export { type Clock, pause, systemClock, TimeLimitError, utcDate, withTimeLimit } from './time.ts';
export { runWorkerService } from './worker-service.ts';
