import { type HttpRequest, send, startHttpLoad } from '../load/http-load.ts';

/** A heavy load of one tenant, and the requests of another tenant that are measured beside it. */
export interface Wall {
  name: string;
  /** Requests of the light tenant. They are sent in a circle. */
  light: HttpRequest[];
  /** Loads the service for `ms` milliseconds. Resolves with a description of what was sent. */
  attack: (ms: number) => Promise<string>;
  /** Limits of the light tenant's latency beside the attack. A ratio is relative to the latency without the attack. */
  bars: { worstMs: number; p99Ratio?: number; p95Ratio?: number };
  /** Whether a light request may be 503. */
  mayRefuse?: boolean;
}

/** Bars of the walls that name none of their own. */
export const commonBars: Wall['bars'] = { p99Ratio: 5, worstMs: 250 };

/** Sends requests in a circle over some connections, from a process of its own. Failures are part of the attack. */
export async function attackWith(
  url: string,
  requests: HttpRequest[],
  connections: number,
  ms: number,
): Promise<string> {
  const load = startHttpLoad();
  try {
    const options = { connections, maxMs: ms, repeats: true, allowFailures: true };
    const { statuses } = await send(load, [url], requests, options);
    const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    return `${connections} connections: ${answers.join(', ')}`;
  } finally {
    await load.close();
  }
}
