export { logRun, traceRun, traceSend } from './job-trace.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  type Backlog,
  type JobEvent,
  Metrics,
  type ModelPurpose,
  type StatusClass,
} from './metrics.ts';
export { startWorkerMetrics } from './metrics-server.ts';
export { openMetricsType } from './open-metrics.ts';
export { beginRequestTrace, newRequestId, type RequestTrace } from './request-trace.ts';
export { safeError } from './safe-error.ts';
export { startTelemetry } from './start.ts';
export type { Telemetry } from './telemetry.ts';
export {
  currentTrace,
  markFailed,
  traceHeaders,
  withCallSpan,
  withSpan,
  withTrace,
} from './tracing.ts';
