import { type QueueName, queueNames } from '@continuity/contract';
import { column, deploymentStatement, isReadableHere, type Sql, tables } from '@continuity/kernel/database';
import { withTimeLimit } from '@continuity/kernel/process';
import type { Metrics, Reading } from '@continuity/kernel/telemetry';
import { z } from 'zod';

/** Time for which all gateways share one reading. */
const sharedFor = `interval '5 seconds'`;

/** Limit of each count: work beyond it is not counted, so that a reading costs the same however much waits. */
const countLimit = 10_000;

const countOf = (table: string, condition = 'true') =>
  `(SELECT count(*) FROM (SELECT FROM ${rowsOf(table, condition)} LIMIT ${countLimit}) bounded)`;

const oldest = (column: string, table: string, condition: string) =>
  `(SELECT extract(epoch FROM min(${column}))::float8 FROM ${rowsOf(table, condition)})`;

/** The rows of a tenant that moves to another database server count on one of the two. */
const rowsOf = (table: string, condition: string) =>
  `${table} WHERE ${condition} AND ${isReadableHere(`${table}.tenant_id`)}`;

/** Times are in seconds of the epoch, because the reading is used for a while. */
const selectBacklog = `jsonb_build_object(
  'queues', (SELECT jsonb_agg(jsonb_build_object(
      'queue', queue,
      'queued', ${countOf('jobs', "jobs.queue = names.queue AND status = 'queued'")},
      'running', ${countOf('jobs', "jobs.queue = names.queue AND status = 'running'")},
      'oldestQueued', ${oldest('created_at', 'jobs', "jobs.queue = names.queue AND status = 'queued'")}))
    FROM unnest($1::text[]) AS names (queue)),
  'oldestPending', ${oldest('pending_since', 'source_sequences', 'pending_since IS NOT NULL')},
  'parkedSources', ${countOf('parked_sources')},
  'oldestUnembedded', CASE WHEN EXISTS (SELECT FROM embedding_profiles)
    THEN ${oldest('embedding_due_at', 'memory_totals', 'embedding_due_at IS NOT NULL')} END,
  'parkedEmbeddings', ${countOf('failed_embeddings', 'retry_at IS NULL')})`;

const readingShape = z.object({
  queues: z.array(
    z.object({
      queue: z.custom<QueueName>((value) => queueNames.some((name) => name === value)),
      queued: z.number(),
      running: z.number(),
      oldestQueued: z.number().nullable(),
    }),
  ),
  oldestPending: z.number().nullable(),
  parkedSources: z.number(),
  oldestUnembedded: z.number().nullable(),
  parkedEmbeddings: z.number(),
});

/** Covers the whole deployment, so it has no tenant. */
const selectShared = deploymentStatement(
  'backlog_shared',
  `SELECT backlog, extract(epoch FROM now())::float8 AS now, coalesce(backlog_at > now() - ${sharedFor}, false) AS is_fresh
   FROM deployment`,
  { backlog: tables.deployment.backlog, now: column.double, is_fresh: column.boolean },
);

/** Reads unfinished work only, through partial indexes. Of gateways that run it at a time, one reads and the others wait for it. */
const refresh = deploymentStatement(
  'backlog_refresh',
  `UPDATE deployment SET backlog = ${selectBacklog}, backlog_at = now()
   WHERE coalesce(backlog_at < now() - ${sharedFor}, true) OR $2
   RETURNING backlog, extract(epoch FROM now())::float8 AS now`,
  { backlog: tables.deployment.backlog, now: column.double },
);

/**
 * Reads the unfinished work of the deployment. Gateways share a reading for five seconds, so that their number does not matter
 * to the database.
 */
async function readBacklog(sql: Sql): Promise<Reading[]> {
  const shared = await sql.first(selectShared, []);
  const known = readingShape.safeParse(shared?.backlog);
  if (shared?.is_fresh && known.success) return backlogAt(shared.now, known.data);
  // Another release, whose reading has another form, may have written it a moment ago.
  const isUnknown = shared?.is_fresh === true;
  const read = (await sql.first(refresh, [queueNames, isUnknown])) ?? (await sql.first(selectShared, []));
  if (read === undefined) throw new Error('The table deployment is empty.');
  return backlogAt(read.now, readingShape.parse(read.backlog));
}

function backlogAt(now: number, { queues, ...read }: z.output<typeof readingShape>): Reading[] {
  const ageOf = (time: number | null) => (time === null ? 0 : Math.max(now - time, 0));
  return [
    ...queues.flatMap(({ queue, queued, running, oldestQueued }): Reading[] => [
      { gauge: 'queueDepth', value: queued, labels: { queue, status: 'queued' } },
      { gauge: 'queueDepth', value: running, labels: { queue, status: 'running' } },
      { gauge: 'queueOldest', value: ageOf(oldestQueued), labels: { queue } },
    ]),
    { gauge: 'flushLag', value: ageOf(read.oldestPending) },
    { gauge: 'sourcesParked', value: read.parkedSources },
    { gauge: 'embeddingLag', value: ageOf(read.oldestUnembedded) },
    { gauge: 'embeddingsParked', value: read.parkedEmbeddings },
  ];
}

/** Gauges of unfinished work. */
const backlogGauges = [
  'queueDepth',
  'queueOldest',
  'flushLag',
  'sourcesParked',
  'embeddingLag',
  'embeddingsParked',
] as const;

/** Gauges of ages: of several servers, the oldest counts. Of the others, the sum. */
const ageGauges: ReadonlySet<string> = new Set(['queueOldest', 'flushLag', 'embeddingLag']);

/** Limit of the wait for one of several servers, in milliseconds. */
const serverLimitMs = 2_000;

/** Adds the readings of several servers. One that does not answer in time is left out; throws if none does. */
async function readAll(servers: readonly Sql[]): Promise<Reading[]> {
  const answers = await Promise.allSettled(
    servers.map((sql) => withTimeLimit(readBacklog(sql), serverLimitMs)),
  );
  const failure = answers.find((answer) => answer.status === 'rejected');
  const readings = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (readings.length === 0) throw failure?.reason;
  const merged = new Map<string, Reading>();
  for (const reading of readings) {
    const key = `${reading.gauge} ${JSON.stringify(reading.labels)}`;
    const known = merged.get(key);
    const add = ageGauges.has(reading.gauge) ? Math.max : (one: number, other: number) => one + other;
    merged.set(key, known === undefined ? reading : { ...reading, value: add(known.value, reading.value) });
  }
  return [...merged.values()];
}

/** Adds the backlog of all database servers to every collection of `metrics`. Returns a function that stops it. */
export function watchBacklog(metrics: Metrics, servers: readonly Sql[]): () => void {
  const [only] = servers;
  const read = servers.length === 1 && only !== undefined ? () => readBacklog(only) : () => readAll(servers);
  return metrics.watchGauges(backlogGauges, read);
}
