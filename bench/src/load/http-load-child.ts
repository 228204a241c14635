import type { RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { serveTasks } from './child-process.ts';
import type { HttpAnswer, HttpResult, HttpTask } from './http-load.ts';
import { openHistogram, readLatency, recordMs } from './latency.ts';

/** MCP over HTTP demands that a client accepts both. */
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The state of one run. */
interface Run {
  task: HttpTask;
  next: number;
  deadline: number;
  histograms: Map<string, RecordableHistogram>;
  statuses: Record<string, number>;
  answers: HttpAnswer[];
}

async function run(task: HttpTask): Promise<HttpResult> {
  const clients = task.urls.flatMap((url) =>
    Array.from({ length: task.connections }, () => new Client(url, { pipelining: 1 })),
  );
  const startedAt = performance.now();
  const state: Run = {
    task,
    next: 0,
    deadline: startedAt + task.maxMs,
    histograms: new Map(
      [...new Set(task.requests.map(({ group }) => group))].map((group) => [group, openHistogram()]),
    ),
    statuses: {},
    answers: [],
  };
  await Promise.all(clients.map((client) => loop(client, state)));
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(clients.map((client) => client.close()));
  const { statuses, answers, histograms } = state;
  const measured = [...histograms].filter(([, histogram]) => histogram.count > 0);
  const count = measured.reduce((sum, [, histogram]) => sum + histogram.count, 0);
  const latencies = Object.fromEntries(measured.map(([group, histogram]) => [group, readLatency(histogram)]));
  return { count, perSecond: count / seconds, latencies, statuses, answers };
}

async function loop(client: Client, run: Run): Promise<void> {
  const { requests, repeats, intervalMs } = run.task;
  let scheduledAt = performance.now();
  let dueAt = scheduledAt;
  // Each group gets an answer, if the requests suffice: a busy machine may pause for longer than a short round.
  const lacksGroup = () => [...run.histograms.values()].some(({ count }) => count === 0);
  const hasTime = () => performance.now() < run.deadline || (run.next < requests.length && lacksGroup());
  while ((repeats || run.next < requests.length) && hasTime()) {
    const index = run.next;
    run.next += 1;
    const request = requests[index % requests.length];
    if (request !== undefined) await sendOne(client, run, index, request, dueAt);
    scheduledAt = intervalMs === 0 ? performance.now() : scheduledAt + intervalMs;
    dueAt = await sleepUntil(scheduledAt);
  }
}

/** Waits until `at`. Returns the due time of the next request: `at` if it has passed, else now, so that a late timer does not count. */
async function sleepUntil(at: number): Promise<number> {
  const pauseMs = at - performance.now();
  if (pauseMs <= 0) return at;
  await sleep(pauseMs);
  return performance.now();
}

async function sendOne(
  client: Client,
  run: Run,
  index: number,
  request: HttpTask['requests'][number],
  dueAt: number,
): Promise<void> {
  const answer = await answerTo(client, request).catch((error: unknown) => {
    if (run.task.allowFailures) return undefined;
    throw error;
  });
  const ms = performance.now() - dueAt;
  const histogram = run.histograms.get(request.group);
  if (histogram !== undefined) recordMs(histogram, ms);
  const status = answer?.status ?? 'none';
  run.statuses[status] = (run.statuses[status] ?? 0) + 1;
  if (run.task.keepAnswers && answer !== undefined)
    run.answers.push({ index, status: answer.status, at: Date.now(), body: answer.body.toString() });
}

/** Uses `dispatch`: without a stream for each response, eight connections send a tenth more requests a second. */
function answerTo(
  client: Client,
  { path, body, token }: HttpTask['requests'][number],
): Promise<{ status: number; body: Buffer }> {
  const sent = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>();
  let status = 0;
  const chunks: Buffer[] = [];
  client.dispatch(
    { method: 'POST', path, headers: sent, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ status, body: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return promise;
}

serveTasks(run);
