export { createLogger, type Logger } from './logger.ts';
export {
  type Backlog,
  type JobHappening,
  Metrics,
  type ModelCall,
  type ModelPurpose,
  type PoolCounts,
  type StatusClass,
} from './metrics.ts';
export { type ObservedJob, observeJob } from './observe-job.ts';
export { openMetricsType } from './open-metrics.ts';
export { beginRequestTrace, type RequestTrace } from './request-trace.ts';
export { startTelemetry, type Telemetry } from './start.ts';
export { activeTracer, currentTrace, type SpanRole, withSpan, withTrace } from './tracing.ts';
