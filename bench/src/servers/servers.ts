import { freePort } from '@continuity/testing/servers';
import { type HttpLoad, startHttpLoad } from '../load/http-load.ts';
import { startProgram } from './program.ts';
import {
  type SeparateOptions,
  type Service,
  type ServiceOptions,
  startAllInOne,
  startSeparate,
} from './service.ts';
import { createOwnDatabase, type OwnDatabase, type Stores } from './stores.ts';

/** Starts what a benchmark needs. The benchmark stops it. */
export interface Servers {
  createDatabase(): Promise<OwnDatabase>;
  startSeparate(options: Omit<SeparateOptions, 'redisUrl'>): Promise<Service>;
  startAllInOne(options: ServiceOptions): Promise<Service>;
  startCollector(): Promise<Collector>;
  startLoad(): HttpLoad;
}

/** A collector that drops the telemetry that it receives. */
interface Collector {
  /** Settings of a service that exports its telemetry to it. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts new processes, and creates a new database, for each call. */
export function ownServers(stores: Stores): Servers {
  return {
    createDatabase: () => createOwnDatabase(stores),
    startSeparate: (options) => startSeparate({ ...options, redisUrl: stores.redisUrl }),
    startAllInOne,
    startCollector: async () => {
      const port = await freePort();
      const program = await startProgram('bench/src/servers/collector.ts', { PORT: String(port) });
      return {
        environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
        stop: () => program.stop(),
      };
    },
    startLoad: startHttpLoad,
  };
}
