import { randomUUID } from 'node:crypto';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { exportMetrics } from './export-metrics.ts';
import type { Logger } from './logger.ts';
import type { Telemetry } from './metrics.ts';
import { RepeatedLines } from './repeated-lines.ts';

/** Shortest interval between two warnings, such as of an unreachable collector, in milliseconds. */
const warningMs = 60_000;

export interface SdkOptions {
  endpoint: string | undefined;
  serviceName: string;
  ratio: number;
  logger: Logger;
}

/** The part of telemetry that needs the SDK. `startTelemetry` loads it only if metrics or traces are exported or served. */
export async function startSdk({ endpoint, serviceName, ratio, logger }: SdkOptions): Promise<Telemetry> {
  const warn = createWarning(logger);
  setGlobalErrorHandler(warn);
  const resource = describeProcess(serviceName);
  const traces = endpoint === undefined ? null : await startTraces(resource, endpoint, ratio);
  const { metrics, scrape, shutdown } = await exportMetrics(resource, endpoint, warn);
  return {
    metrics,
    scrape,
    shutdown: async () => {
      const ends = await Promise.allSettled([traces?.shutdown(), shutdown()]);
      for (const end of ends) if (end.status === 'rejected') warn(end.reason);
    },
  };
}

async function startTraces(resource: Resource, endpoint: string, ratio: number) {
  const { exportTraces } = await import('./export-traces.ts');
  return exportTraces(resource, endpoint, ratio);
}

/** The OpenTelemetry resource: OTEL_RESOURCE_ATTRIBUTES of the environment, and the service name of the settings. */
function describeProcess(serviceName: string): Resource {
  const given = detectResources({ detectors: [envDetector] });
  return given.merge(
    resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': randomUUID() }),
  );
}

/** Logs an error at most once a minute, with the number of those that were left out. */
function createWarning(logger: Logger): (error: unknown) => void {
  const message = 'telemetry could not be read or sent';
  const repeated = new RepeatedLines(warningMs);
  return (error) => repeated.limit(message, { err: error }, (fields) => logger.warn(fields, message));
}
