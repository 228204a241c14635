import { createNoopMeter } from '@opentelemetry/api';
import type { Settings } from '../config/settings.ts';
import type { Logger } from './logger.ts';
import { Metrics, type Telemetry } from './metrics.ts';

interface TelemetryOptions {
  logger: Logger;
  /** True for a process that serves `/metrics`, also without a collector. */
  scraped?: boolean;
}

type TelemetrySettings = Pick<
  Settings,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'
>;

/**
 * Starts traces and metrics of this process, once, before any other component. Without OTEL_EXPORTER_OTLP_ENDPOINT there are
 * no traces, and the SDK is loaded only for `scraped` metrics.
 */
export async function startTelemetry(
  settings: TelemetrySettings,
  serviceName: string,
  { logger, scraped = false }: TelemetryOptions,
): Promise<Telemetry> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined && !scraped) {
    return silent();
  }
  const { startSdk } = await import('./sdk.ts');
  return await startSdk({
    endpoint,
    serviceName: settings.OTEL_SERVICE_NAME ?? serviceName,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    logger,
  });
}

function silent(): Telemetry {
  return {
    metrics: new Metrics(createNoopMeter()),
    scrape: async () => '# EOF\n',
    shutdown: async () => undefined,
  };
}
