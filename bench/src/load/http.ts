import { type Child, startChild } from './child.ts';
import type { Latency } from './latency.ts';

export interface HttpRequest {
  path: string;
  body: unknown;
  /** Requests of one group are measured together; one group where it is left out. */
  group?: string;
}

/** Requests that a closed loop sends: each connection has one under way and sends the next when it is answered. */
export interface HttpTask {
  urls: string[];
  /** To each URL. */
  connections: number;
  requests: { path: string; body: string; group: string }[];
  /** Ends the loop before the requests have run out. */
  maxMs: number;
  /** Keeps every answer, for who has to look at them. */
  keepsAnswers: boolean;
}

export interface HttpAnswer {
  /** Place among the task's requests. */
  index: number;
  status: number;
  /** Milliseconds since 1970, when its last byte was there. */
  at: number;
  body: string;
}

export interface HttpResult {
  count: number;
  perSecond: number;
  /** By group. */
  latencies: Record<string, Latency>;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** In order of arrival; empty unless they were to be kept. */
  answers: HttpAnswer[];
}

/** Sends requests from a process of its own. */
export type HttpLoad = Child<HttpTask, HttpResult>;

export function startHttpLoad(): HttpLoad {
  return startChild('./http-child.ts');
}

/** The group of requests that name none. */
const anyGroup = 'all';

/** The latency of requests that name no group, or of the named one. */
export function latencyOf({ latencies }: HttpResult, group: string = anyGroup): Latency {
  const latency = latencies[group];
  if (latency === undefined) throw new Error(`Nothing of ${group} was answered.`);
  return latency;
}

export interface SendOptions {
  connections: number;
  maxMs?: number;
  keepsAnswers?: boolean;
  /** Answers that are no success are counted instead of thrown. */
  mayFail?: boolean;
}

/** Sends all requests, or as many as `maxMs` leaves time for. Throws when an answer is no success. */
export async function send(
  load: HttpLoad,
  urls: string[],
  requests: HttpRequest[],
  { connections, maxMs = 600_000, keepsAnswers = false, mayFail = false }: SendOptions,
): Promise<HttpResult> {
  const texts = requests.map(({ path, body, group = anyGroup }) => ({
    path,
    body: JSON.stringify(body),
    group,
  }));
  const result = await load.run({ urls, connections, requests: texts, maxMs, keepsAnswers });
  const failures = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
  if (failures.length > 0 && !mayFail)
    throw new Error(`Not all requests succeeded: ${JSON.stringify(result.statuses)}`);
  return result;
}
