import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attributes } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Settings } from '../config/settings.ts';
import { refuseUsedPort } from '../process/run.ts';
import type { Logger } from './logger.ts';
import type { Telemetry } from './metrics.ts';

/** Media type (spec 10 §11.9). The body is valid OpenMetrics and valid Prometheus text 0.0.4. */
export const openMetricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Unit suffixes of OpenMetrics names. A UCUM unit in braces is an annotation and has no suffix. */
const unitNames: Record<string, string> = { s: 'seconds', By: 'bytes' };

/**
 * Serializes a collection as OpenMetrics 1.0 text. The serializer of OpenTelemetry's Prometheus exporter gives counters and
 * units names that OpenMetrics refuses. Sums are counters; there are no exponential histograms.
 */
export function toOpenMetrics({ scopeMetrics }: ResourceMetrics): string {
  const metrics = scopeMetrics
    .flatMap((scope) => scope.metrics)
    .filter(({ dataPoints }) => dataPoints.length > 0);
  return `${metrics.map(familyOf).join('')}# EOF\n`;
}

function familyOf(metric: MetricData): string {
  const { description, unit } = metric.descriptor;
  const name = familyName(metric);
  const head = [`# TYPE ${name} ${typeOf(metric)}`];
  if (unit in unitNames) head.push(`# UNIT ${name} ${unitNames[unit]}`);
  head.push(`# HELP ${name} ${escapeText(description)}`);
  return [...head, ...samplesOf(name, metric), ''].join('\n');
}

function familyName({ descriptor: { name, unit } }: MetricData): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return unit in unitNames ? `${plain}_${unitNames[unit]}` : plain;
}

/** Distinguishes by the shape of the data points, because the SDK does not export the names of its types. */
function typeOf(metric: MetricData): 'counter' | 'gauge' | 'histogram' {
  if ('isMonotonic' in metric) return metric.isMonotonic ? 'counter' : 'gauge';
  return typeof metric.dataPoints[0]?.value === 'number' ? 'gauge' : 'histogram';
}

function samplesOf(name: string, metric: MetricData): string[] {
  const sampleName = typeOf(metric) === 'counter' ? `${name}_total` : name;
  return metric.dataPoints.flatMap(({ attributes, value }) =>
    typeof value === 'number'
      ? [sample(sampleName, attributes, value)]
      : histogramSamples(name, attributes, value as DataPoint<Histogram>['value']),
  );
}

function histogramSamples(
  name: string,
  attributes: Attributes,
  { buckets, count, sum }: Histogram,
): string[] {
  let below = 0;
  const bounded = buckets.boundaries.map((bound, index) => {
    below += buckets.counts[index] ?? 0;
    return sample(`${name}_bucket`, { ...attributes, le: floating(bound) }, below);
  });
  return [
    ...bounded,
    sample(`${name}_bucket`, { ...attributes, le: '+Inf' }, count),
    sample(`${name}_count`, attributes, count),
    sample(`${name}_sum`, attributes, sum ?? 0),
  ];
}

function sample(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(([label, text]) => `${label}="${escapeText(String(text))}"`);
  return labels.length === 0 ? `${name} ${value}` : `${name}{${labels.join(',')}} ${value}`;
}

/** Canonical form of a bound: a float with a decimal point. */
function floating(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

interface MetricsServer {
  /** `http://host:port` */
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` of a worker on `WORKER_METRICS_PORT`, and nothing else, without a token. Undefined if the port is not
 * set. Throws `StartRefusedError` if another program uses the port.
 */
export async function startWorkerMetrics(
  { HOST: host, WORKER_METRICS_PORT: port }: Pick<Settings, 'HOST' | 'WORKER_METRICS_PORT'>,
  telemetry: Pick<Telemetry, 'scrape'>,
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    if (request.method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end();
    const headers = { 'Content-Type': openMetricsType, 'Cache-Control': 'no-store' };
    return telemetry.scrape().then(
      (text) => response.writeHead(200, headers).end(text),
      (error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(503).end();
      },
    );
  });
  const listening = once(server.listen(port, host), 'listening');
  await refuseUsedPort(listening, { host, port, setting: 'WORKER_METRICS_PORT' });
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
