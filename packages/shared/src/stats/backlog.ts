import { type QueueName, queueNames } from '@continuity/contract';
import {
  type Backlog,
  column,
  deploymentStatement,
  type Metrics,
  type Sql,
  tables,
} from '@continuity/shared/kernel';

/**
 * Covers the whole deployment, so it has no tenant. Reads unfinished work only, through partial indexes, and counts at most
 * 10,000 parked rows of each kind.
 */
const selectBacklog = deploymentStatement(
  'deployment_backlog',
  `WITH unfinished AS (
     SELECT queue,
       count(*) FILTER (WHERE status = 'queued') AS queued,
       count(*) FILTER (WHERE status = 'running') AS running,
       min(created_at) FILTER (WHERE status = 'queued') AS oldest_queued
     FROM jobs WHERE status IN ('queued', 'running') GROUP BY queue
   ), flush AS (
     SELECT min(pending_since) AS oldest FROM source_sequences WHERE pending_since IS NOT NULL
   ), parked AS (
     SELECT count(*) AS sources FROM (SELECT FROM parked_sources LIMIT 10000) bounded
   ), embedding AS (
     SELECT (SELECT min(embedding_due_at) FROM memory_totals
             WHERE embedding_due_at IS NOT NULL AND EXISTS (SELECT FROM embedding_profiles)) AS due,
            (SELECT count(*) FROM (SELECT FROM failed_embeddings WHERE retry_at IS NULL LIMIT 10000) bounded) AS parked
   )
   SELECT queue, coalesce(queued, 0) AS queued, coalesce(running, 0) AS running,
     coalesce(greatest(extract(epoch FROM now() - oldest_queued), 0), 0)::float8 AS oldest_queued_seconds,
     coalesce(greatest(extract(epoch FROM now() - flush.oldest), 0), 0)::float8 AS flush_lag_seconds,
     parked.sources AS parked_sources,
     coalesce(greatest(extract(epoch FROM now() - embedding.due), 0), 0)::float8 AS embedding_lag_seconds,
     embedding.parked AS parked_embeddings
   FROM flush CROSS JOIN parked CROSS JOIN embedding LEFT JOIN unfinished ON true`,
  {
    queue: tables.jobs.queue.orNull().as<QueueName>(),
    queued: column.bigint,
    running: column.bigint,
    oldest_queued_seconds: column.double,
    flush_lag_seconds: column.double,
    parked_sources: column.bigint,
    embedding_lag_seconds: column.double,
    parked_embeddings: column.bigint,
  },
);

/** Reads the unfinished work of the deployment. A queue without jobs has zeros. */
export async function readBacklog(sql: Sql): Promise<Backlog> {
  const rows = await sql.rows(selectBacklog, []);
  return {
    queues: queueNames.map((queue) => {
      const row = rows.find((candidate) => candidate.queue === queue);
      return {
        queue,
        queued: row?.queued ?? 0,
        running: row?.running ?? 0,
        oldestQueuedSeconds: row?.oldest_queued_seconds ?? 0,
      };
    }),
    flushLagSeconds: rows[0]?.flush_lag_seconds ?? 0,
    parkedSources: rows[0]?.parked_sources ?? 0,
    embeddingLagSeconds: rows[0]?.embedding_lag_seconds ?? 0,
    parkedEmbeddings: rows[0]?.parked_embeddings ?? 0,
  };
}

/** Adds the backlog to every collection of `metrics`, at the cost of one statement each. Returns a function that stops it. */
export function watchBacklog(metrics: Metrics, sql: Sql): () => void {
  return metrics.watchBacklog(() => readBacklog(sql));
}
