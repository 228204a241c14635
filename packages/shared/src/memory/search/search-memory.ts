import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { InferenceError, inferenceFailed, type ModelUsage } from '../../inference/index.ts';
import { countGenerations, type RecordUseDeps, recordModelUse } from '../../usage/index.ts';
import type { SearchDeps } from './deps.ts';
import { type ParsedQuery, parseQuery, type SearchMode } from './parse-query.ts';
import { questionFor, rankHits } from './rerank.ts';
import { type ScopeSearch, type SearchAnswer, searchScope } from './search-scope.ts';

/** A search request. */
interface MemorySearch extends ScopeSearch {
  query: string;
  mode: SearchMode;
}

/**
 * Searches one Scope: embeds the query if the mode needs it, and reranks the best hits if there is a reranker (spec 20 S11).
 *
 * @throws 422 and 503 as `parseQuery` does, and 503 if the reranker does not answer
 */
export async function searchMemory(
  deps: SearchDeps,
  { logger, clock }: { logger: Logger; clock: Clock },
  { query, mode, ...scope }: MemorySearch,
): Promise<SearchAnswer> {
  const usageDeps = { sql: deps.database.sql, logger };
  const parsed = await parseQuery(deps.embedder(), { query, mode });
  // Runs beside the search and ends before the answer, so that the caller finds its own use in the statistics.
  const counted =
    parsed.vector === null ? undefined : countQuery(usageDeps, scope, parsed.vector.usage, clock.now());
  const [answer] = await Promise.all([searchScope(deps, widenForReranker(deps, scope), parsed), counted]);
  try {
    return await rerank(deps, usageDeps, scope, parsed, answer);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    throw inferenceFailed(error, 'Search again later.');
  }
}

/** Counts the embedding of one query for the searched Scope, unless the model is built in (spec 20 T6). Never rejects. */
export async function countQuery(
  usageDeps: RecordUseDeps,
  { tenantId, scopeId }: Pick<ScopeSearch, 'tenantId' | 'scopeId'>,
  usage: ModelUsage | null,
  at: Date,
): Promise<void> {
  if (usage === null) return;
  await recordModelUse(usageDeps, {
    tenantId,
    scope: { scopeId },
    purpose: 'memory_recall',
    operation: 'embedding',
    ...usage,
    at,
  });
}

/** As `rerank`, but keeps the fused order if the model does not answer. */
export async function rerankIfPossible(
  deps: SearchDeps,
  usageDeps: RecordUseDeps,
  scope: ScopeSearch,
  query: ParsedQuery,
  answer: SearchAnswer,
): Promise<SearchAnswer> {
  try {
    return await rerank(deps, usageDeps, scope, query, answer);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    return { ...answer, hits: answer.hits.slice(0, scope.limit) };
  }
}

/** Raises the limit of a search to the pool of the reranker, if there is one: the reranker chooses from these hits. */
export function widenForReranker({ reranker }: SearchDeps, scope: ScopeSearch): ScopeSearch {
  return reranker === null ? scope : { ...scope, limit: Math.max(scope.limit, reranker.pool) };
}

/**
 * Reranks the answer of a search whose limit `widenForReranker` raised, and truncates it to `limit` hits. Keeps the fused order if there is no reranker or the model names no hit.
 *
 * @throws {InferenceError} if the model does not answer
 */
async function rerank(
  { reranker }: SearchDeps,
  usageDeps: RecordUseDeps,
  { tenantId, scopeId, limit }: ScopeSearch,
  { text, words }: ParsedQuery,
  answer: SearchAnswer,
): Promise<SearchAnswer> {
  const fused = { ...answer, hits: answer.hits.slice(0, limit) };
  if (reranker === null || answer.hits.length === 0) return fused;
  const onUsage = countGenerations(usageDeps, { tenantId, scope: { scopeId }, purpose: 'memory_recall' });
  const question = questionFor(text, words, answer.hits[0]?.text ?? '');
  const ranked = await rankHits(reranker, question, answer.hits, onUsage);
  if (ranked === null) return fused;
  const hits = ranked.slice(0, limit);
  return { ...answer, hits, isReranked: true };
}
