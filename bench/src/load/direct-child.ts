import type { RecordableHistogram } from 'node:perf_hooks';
import pg from 'pg';
import { serveTasks } from './child.ts';
import type { DirectResult, DirectTask } from './direct.ts';
import { openHistogram, readLatency, recordMs } from './latency.ts';
import type { Sent, Trips } from './transaction.ts';

async function run({ databaseUrl, lists, maxMs }: DirectTask): Promise<DirectResult> {
  const clients = lists.map(() => new pg.Client({ connectionString: databaseUrl, pipeline: true }));
  await Promise.all(clients.map((client) => client.connect()));
  // The first one of each connection prepares its statements, as the service's pool has done long since.
  await Promise.all(clients.map((client, index) => sendAll(client, lists[index]?.[0] ?? [])));
  const histogram = openHistogram();
  const begun = performance.now();
  const deadline = begun + maxMs;
  await Promise.all(clients.map((client, index) => loop(client, lists[index] ?? [], deadline, histogram)));
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(clients.map((client) => client.end()));
  return { count: histogram.count, perSecond: histogram.count / seconds, ...readLatency(histogram) };
}

async function loop(
  client: pg.Client,
  transactions: Trips[],
  deadline: number,
  histogram: RecordableHistogram,
): Promise<void> {
  for (const trips of transactions.slice(1)) {
    const begun = performance.now();
    if (begun >= deadline) return;
    await sendAll(client, trips);
    recordMs(histogram, performance.now() - begun);
  }
}

async function sendAll(client: pg.Client, trips: Trips): Promise<void> {
  for (const trip of trips) await Promise.all(trip.map((sent) => sendOne(client, sent)));
}

function sendOne(client: pg.Client, { statement, values }: Sent): Promise<unknown> {
  if (typeof statement === 'string') return client.query(statement);
  return client.query({ ...statement, values: values.map(toValue) });
}

/** A Buffer arrives from the other process as plain bytes. */
function toValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

serveTasks(run);
