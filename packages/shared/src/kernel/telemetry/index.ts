export { type JobRun, logRun, type ObservedJob, traceRun, traceSend } from './job-trace.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  type Backlog,
  type JobEvent,
  Metrics,
  type ModelOutcome,
  type ModelPurpose,
  type PoolCounts,
  type StatusClass,
} from './metrics.ts';
export { type MetricsServer, startWorkerMetrics } from './metrics-server.ts';
export { openMetricsType } from './open-metrics.ts';
export { beginRequestTrace, newRequestId, type RequestTrace } from './request-trace.ts';
export { type SafeError, safeError } from './safe-error.ts';
export { startTelemetry } from './start.ts';
export type { Telemetry } from './telemetry.ts';
export {
  currentTrace,
  markFailed,
  type SpanRole,
  traceHeaders,
  withCallSpan,
  withSpan,
  withTrace,
} from './tracing.ts';
