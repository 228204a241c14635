import { type Child, startChild } from './child-process.ts';
import type { Latency } from './latency.ts';

export interface HttpRequest {
  path: string;
  body?: unknown;
  /** The bytes of the body, instead of `body`. */
  text?: string;
  /** Bearer token. */
  token?: string;
  /** Latencies are reported by group. Requests without a group share one. */
  group?: string;
}

/** A closed loop: each connection sends its next request when the previous one is answered. */
export interface HttpTask {
  urls: string[];
  /** Connections to each URL. */
  connections: number;
  requests: { path: string; body: string; group: string; token: string | undefined }[];
  /** Time limit: the loop ends even if requests are left. */
  maxMs: number;
  /** Sends the requests again and again until `maxMs`. */
  repeats: boolean;
  /**
   * Time between two requests of a connection; 0 for a closed loop. A request that waits for the answer to the one before it is
   * sent late, and its latency counts from the time when it was due.
   */
  intervalMs: number;
  /** Counts a request without an answer as status `none`, instead of failing. */
  allowFailures: boolean;
  /** Returns every answer with its body. */
  keepAnswers: boolean;
}

export interface HttpAnswer {
  /** Index of the request in the task. */
  index: number;
  status: number;
  /** Arrival of the last byte, in milliseconds since 1970. */
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
  /** In order of arrival; empty without `keepAnswers`. */
  answers: HttpAnswer[];
}

/** Sends requests from a child process. */
export type HttpLoad = Child<HttpTask, HttpResult>;

export function startHttpLoad(): HttpLoad {
  return startChild('./http-load-child.ts');
}

/** The group of requests that have none of their own. */
const defaultGroup = 'all';

/** The latency of a group; without one, of the requests without a group. */
export function latencyOf({ latencies }: HttpResult, group: string = defaultGroup): Latency {
  const latency = latencies[group];
  if (latency === undefined) throw new Error(`No request of the group "${group}" was answered.`);
  return latency;
}

interface SendOptions {
  connections: number;
  maxMs?: number;
  keepAnswers?: boolean;
  /** Counts answers that are not a success, instead of throwing. */
  allowFailures?: boolean;
  repeats?: boolean;
  intervalMs?: number;
}

/** Sends requests until all are sent or `maxMs` has passed. Throws if an answer is not a success. */
export async function send(
  load: HttpLoad,
  urls: string[],
  requests: HttpRequest[],
  options: SendOptions,
): Promise<HttpResult> {
  const {
    maxMs = 600_000,
    keepAnswers = false,
    allowFailures = false,
    repeats = false,
    intervalMs = 0,
  } = options;
  const texts = requests.map(({ path, body, text = JSON.stringify(body), group = defaultGroup, token }) => ({
    path,
    body: text,
    group,
    token,
  }));
  const { connections } = options;
  const result = await load.run({
    urls,
    connections,
    requests: texts,
    maxMs,
    repeats,
    intervalMs,
    keepAnswers,
    allowFailures,
  });
  const failures = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
  if (failures.length > 0 && !allowFailures)
    throw new Error(`Not all requests succeeded: ${JSON.stringify(result.statuses)}`);
  return result;
}
