import type { JobPayload } from '@continuity/contract';
import { type Database, type Logger, statement, systemClock } from '@continuity/shared/kernel';
import { type Embedder, InferenceError, inferenceFailed, type ModelUsage } from '../../inference/index.ts';
import { type ClaimedJob, commitFinishedJob, finishJob, JobLostError } from '../../jobs/index.ts';
import { recordModelUse } from '../../usage/index.ts';
import { embedEntries } from './embed-entries.ts';
import { noteFailedRun, noteFailedTexts } from './failures.ts';
import {
  type EmbeddingScope,
  findScopeToEmbed,
  moveCursor,
  type PendingEntry,
  readPending,
  readRetries,
} from './pending.ts';
import { storeVectors } from './store-vectors.ts';

/** What embedding works with. */
export interface EmbedDeps {
  database: Database;
  logger: Logger;
  embedder: Embedder;
  /** Most texts of one request. */
  batchSize: number;
  /** Told how each Scope's run ended: whether the endpoint answers. */
  onEndpoint: (isDown: boolean) => void;
  /** Told how many vectors a Scope has, after each batch. */
  onStored: (embedded: number) => void;
}

/** After this time a run gives way to other Scopes, and goes on when its turn comes again. */
const turnMs = 15_000;

/** Adds the vectors that the job's Scope lacks in a profile, and ends the job. */
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
    await settle(deps.database, job, scope, isDone ? found.entered : null, embedded);
  } catch (error) {
    // A run whose job was taken away did not fail: it was ended.
    if (error instanceof JobLostError || signal.aborted) throw new JobLostError({ cause: error });
    await noteFailedRun(sql, scope);
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
  const end = performance.now() + turnMs;
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
  const onUsage = ({ requests, input_tokens, output_tokens }: ModelUsage) =>
    recordModelUse(
      { sql: database.sql, logger },
      {
        tenantId,
        scope: { scopeKey },
        purpose: 'memory_indexing',
        operation: 'embedding',
        requests,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        at: systemClock.now(),
      },
    );
  const { embedded, failed } = await embedEntries({ embedder, signal, onUsage }, entries);
  if (embedded.length > 0) onStored(await storeVectors(database, scope, embedded));
  if (failed.length > 0) {
    const parked = await noteFailedTexts(database.sql, scope, failed);
    const fields = { tenant_id: tenantId, scope_key: scopeKey, texts: failed.length, parked };
    logger.warn(fields, 'the embedding model gave no vector for some texts and one for others');
  }
  return embedded.length;
}

/** Due again at once where something is left or came meanwhile, else when the next failed text is. */
const settleScope = statement(
  'settle_embedded_scope',
  `UPDATE memory_totals SET embedding_due_at = CASE WHEN entered = $4::bigint THEN (
     SELECT min(retry_at) FROM failed_embeddings
     WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3 AND retry_at IS NOT NULL
   ) ELSE now() END
   WHERE tenant_id = $1 AND scope_key = $2`,
);

async function settle(
  database: Database,
  job: ClaimedJob,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  entered: number | null,
  embedded: number,
): Promise<void> {
  await database.transaction(async (sql) => {
    const settled = sql.rows(settleScope, [tenantId, scopeKey, profileKey, entered]);
    await Promise.all([settled, commitFinishedJob(sql, job, { embedded })]);
  });
}
