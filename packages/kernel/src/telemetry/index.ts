export { createLogger, type Logger } from './logger.ts';
export { metricDefinitions } from './metric-definitions.ts';
export {
  type JobEvent,
  Metrics,
  type ModelPurpose,
  type Reading,
  type StatusClass,
  type Telemetry,
} from './metrics.ts';
export { openMetricsType } from './open-metrics.ts';
export { beginRequestTrace, newRequestId, type RequestTrace } from './request-trace.ts';
export { describeFailure, safeError } from './safe-error.ts';
export { startTelemetry } from './start.ts';
export { currentTrace, markFailed, traceHeaders, withSpan, withTrace } from './tracing.ts';
