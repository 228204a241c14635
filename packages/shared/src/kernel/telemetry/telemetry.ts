import type { Metrics } from './metrics.ts';

/** Metrics and traces of this process. */
export interface Telemetry {
  metrics: Metrics;
  /** The text of `/metrics`; empty in a process that neither exports its metrics nor serves them. */
  scrape(): Promise<string>;
  /** Exports what is pending and closes. Never rejects; it logs what was lost. */
  shutdown(): Promise<void>;
}
