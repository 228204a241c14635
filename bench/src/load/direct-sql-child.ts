import type { RecordableHistogram } from 'node:perf_hooks';
import pg from 'pg';
import { serveTasks } from './child-process.ts';
import type { DirectResult, DirectTask } from './direct-sql.ts';
import { openHistogram, readLatency, recordMs } from './latency.ts';
import type { RoundTrips, SentStatement } from './round-trips.ts';

async function run({ databaseUrl, lists, maxMs }: DirectTask): Promise<DirectResult> {
  const clients = lists.map(() => new pg.Client({ connectionString: databaseUrl, pipeline: true }));
  await Promise.all(clients.map((client) => client.connect()));
  // The first transaction of each connection is the warm-up: it prepares the statements.
  await Promise.all(clients.map((client, index) => sendAll(client, lists[index]?.[0] ?? [])));
  const histogram = openHistogram();
  const startedAt = performance.now();
  const deadline = startedAt + maxMs;
  await Promise.all(clients.map((client, index) => loop(client, lists[index] ?? [], deadline, histogram)));
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(clients.map((client) => client.end()));
  return { count: histogram.count, perSecond: histogram.count / seconds, ...readLatency(histogram) };
}

async function loop(
  client: pg.Client,
  transactions: RoundTrips[],
  deadline: number,
  histogram: RecordableHistogram,
): Promise<void> {
  for (const roundTrips of transactions.slice(1)) {
    const startedAt = performance.now();
    if (startedAt >= deadline) return;
    await sendAll(client, roundTrips);
    recordMs(histogram, performance.now() - startedAt);
  }
}

async function sendAll(client: pg.Client, roundTrips: RoundTrips): Promise<void> {
  for (const trip of roundTrips) await Promise.all(trip.map((sent) => sendOne(client, sent)));
}

function sendOne(client: pg.Client, { statement, values }: SentStatement): Promise<unknown> {
  if (typeof statement === 'string') return client.query(statement);
  return client.query({ ...statement, values: values.map(toValue) });
}

/** A Buffer arrives from the parent process as a Uint8Array. */
function toValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

serveTasks(run);
