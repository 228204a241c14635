import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../config/index.ts';
import { refuseUsedPort } from '../used-port.ts';
import type { Logger } from './logger.ts';
import { openMetricsType } from './open-metrics.ts';
import type { Telemetry } from './telemetry.ts';

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
