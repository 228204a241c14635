import type { JobPayload } from '@continuity/contract';
import { type Database, statement } from '@continuity/kernel/database';
import { systemClock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { type Embedder, InferenceError, inferenceFailed, type OnUsage } from '../../inference/index.ts';
import { type ClaimedJob, commitFinishedJob, finishJob, rethrowInterruption } from '../../jobs/index.ts';
import { recordModelUse } from '../../usage/index.ts';
import { embedEntries } from './embed-entries.ts';
import { readRetries, recordFailedRun, recordFailedTexts } from './failures.ts';
import { moveCursor, type PendingEntry, readPending } from './pending.ts';
import { activeProfile, type EmbeddingScope, findScopeToEmbed } from './profile.ts';
import { storeVectors } from './store-vectors.ts';

/** Dependencies of `runEmbed`. */
interface EmbedDeps {
  database: Database;
  logger: Logger;
  embedder: Embedder;
  /** Limit of texts per request. */
  batchSize: number;
  /** Called at the end of each run with the state of the endpoint. */
  onEndpoint: (isDown: boolean) => void;
  /** Called after each batch with the number of vectors of the Scope. */
  onStored: (embedded: number) => void;
}

/** Time limit of one run, in milliseconds. A later run continues, so that other Scopes get their turn. */
const runLimitMs = 15_000;

/** Embeds the entries of the job's Scope that have no vector in the profile, and finishes the job. */
export async function runEmbed(
  deps: EmbedDeps,
  profileKey: number,
  job: ClaimedJob,
  payload: JobPayload<'embed_memory'>,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const found = await findScopeToEmbed(sql, job.tenantId, payload.scope_id);
  if (found === undefined || payload.profile_key !== profileKey)
    return await finishJob(sql, job, { embedded: 0 });
  const scope = { tenantId: job.tenantId, scopeKey: found.scopeKey, profileKey };
  try {
    const { embedded, isDone } = await embedScope(deps, scope, signal);
    deps.onEndpoint(false);
    await finishRun(deps.database, job, scope, isDone ? found.entered : null, embedded);
  } catch (error) {
    rethrowInterruption(error, signal);
    await recordFailedRun(sql, scope);
    if (!(error instanceof InferenceError)) throw error;
    deps.onEndpoint(true);
    throw inferenceFailed(error, 'Search finds the entries by their words until a later run embeds them.');
  }
}

async function embedScope(
  deps: EmbedDeps,
  scope: EmbeddingScope,
  signal: AbortSignal,
): Promise<{ embedded: number; isDone: boolean }> {
  const { database, batchSize } = deps;
  const end = performance.now() + runLimitMs;
  let embedded = await embedAndStore(deps, scope, await readRetries(database.sql, scope, batchSize), signal);
  for (;;) {
    signal.throwIfAborted();
    const window = await readPending(database.sql, scope, batchSize);
    if (window === undefined) return { embedded, isDone: true };
    embedded += await embedAndStore(deps, scope, window.entries, signal);
    if (window.entries.length < batchSize) await moveCursor(database.sql, scope, window);
    if (performance.now() > end) return { embedded, isDone: false };
  }
}

async function embedAndStore(
  { database, logger, embedder, onStored }: EmbedDeps,
  scope: EmbeddingScope,
  entries: PendingEntry[],
  signal: AbortSignal,
): Promise<number> {
  if (entries.length === 0) return 0;
  const { tenantId, scopeKey } = scope;
  const work = {
    tenantId,
    scope: { scopeKey },
    purpose: 'memory_indexing',
    operation: 'embedding',
  } as const;
  const onUsage: OnUsage = (usage) =>
    recordModelUse({ sql: database.sql, logger }, { ...work, ...usage, at: systemClock.now() });
  const { embedded, failed } = await embedEntries({ embedder, signal, onUsage }, entries);
  if (embedded.length > 0) onStored(await storeVectors(database, scope, embedded));
  if (failed.length > 0) {
    const parked = await recordFailedTexts(database.sql, scope, failed);
    const fields = { tenant_id: tenantId, scope_key: scopeKey, texts: failed.length, parked };
    logger.warn(fields, 'the embedding model failed for some texts');
  }
  return embedded.length;
}

/**
 * The next run is due at once if entries are left or new, or if another profile has become active. Otherwise it is due at the next
 * retry of a failed text.
 */
const scheduleNext = statement(
  'schedule_next_embedding',
  `UPDATE memory_totals SET embedding_due_at = CASE WHEN entered = $4::bigint AND $3 = ${activeProfile} THEN (
     SELECT min(retry_at) FROM failed_embeddings
     WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3 AND retry_at IS NOT NULL
   ) ELSE now() END
   WHERE tenant_id = $1 AND scope_key = $2`,
);

async function finishRun(
  database: Database,
  job: ClaimedJob,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  entered: number | null,
  embedded: number,
): Promise<void> {
  await database.transaction(async (sql) => {
    const scheduled = sql.rows(scheduleNext, [tenantId, scopeKey, profileKey, entered]);
    await Promise.all([scheduled, commitFinishedJob(sql, job, { embedded })]);
  });
}
