/** Longest that one export may take, retries included; also what it may add to a shutdown. */
export const exportTimeoutMs = 4_000;

/** Where a collector takes one kind of signal (OTLP over HTTP). */
export function collectorUrl(endpoint: string, signal: 'traces' | 'metrics'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}
