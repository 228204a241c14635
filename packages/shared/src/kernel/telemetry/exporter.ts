/** Limit of one export including retries, in milliseconds. A shutdown may take this much longer. */
export const exportTimeoutMs = 4_000;

/** Address of a collector for one kind of signal (OTLP over HTTP). */
export function collectorUrl(endpoint: string, signal: 'traces' | 'metrics'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}
