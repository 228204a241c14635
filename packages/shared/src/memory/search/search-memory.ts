import type { Clock, Logger } from '@continuity/shared/kernel';
import { InferenceError, inferenceFailed, type ModelUsage } from '../../inference/index.ts';
import { countGenerations, recordModelUse, type UseLedger } from '../../usage/index.ts';
import type { SearchDeps } from './deps.ts';
import { type ReadQuery, readQuery, type SearchMode } from './read-query.ts';
import { type ScopeSearch, type SearchAnswer, searchScope } from './search-scope.ts';

/** A search as it is asked for. */
export interface MemorySearch extends ScopeSearch {
  query: string;
  mode: SearchMode;
}

/**
 * Searches one Scope: embeds the query where the mode wants it, and lets the reranker, if there is one, order the best hits
 * (spec 20 S11). Throws 422 and 503 as `readQuery` does, and 503 where the reranker does not answer.
 */
export async function searchMemory(
  deps: SearchDeps,
  { logger, clock }: { logger: Logger; clock: Clock },
  { query, mode, ...scope }: MemorySearch,
): Promise<SearchAnswer> {
  const ledger = { sql: deps.database.sql, logger };
  const read = await readQuery(deps.embedder(), { query, mode });
  // Counted beside the search, and before the answer: whoever gets it finds it counted.
  const counted =
    read.vector === null ? undefined : countQuery(ledger, scope, read.vector.usage, clock.now());
  const [answer] = await Promise.all([searchScope(deps, poolOf(deps, scope), read), counted]);
  try {
    return await rerank(deps, ledger, scope, read, answer);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    throw inferenceFailed(error, 'Search again later.');
  }
}

/** Counts the embedding of one query for the Scope that it was asked of (spec 20 T6). Never rejects. */
export function countQuery(
  ledger: UseLedger,
  { tenantId, scopeId }: Pick<ScopeSearch, 'tenantId' | 'scopeId'>,
  { requests, input_tokens, output_tokens }: ModelUsage,
  at: Date,
): Promise<void> {
  return recordModelUse(ledger, {
    tenantId,
    scope: { scopeId },
    purpose: 'memory_recall',
    operation: 'embedding',
    requests,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    at,
  });
}

/** As `rerank`, but the fused order also where the model does not answer: for answers that do not depend on it. */
export async function rerankIfPossible(
  deps: SearchDeps,
  ledger: UseLedger,
  scope: ScopeSearch,
  query: ReadQuery,
  answer: SearchAnswer,
): Promise<SearchAnswer> {
  try {
    return await rerank(deps, ledger, scope, query, answer);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    return { ...answer, hits: answer.hits.slice(0, scope.limit) };
  }
}

/** The search that a reranker chooses from: `limit`, or its pool where that is more. */
export function poolOf({ reranker }: SearchDeps, scope: ScopeSearch): ScopeSearch {
  return reranker === null ? scope : { ...scope, limit: Math.max(scope.limit, reranker.pool) };
}

/**
 * The answer of a search by `poolOf`, in the reranker's order and with `limit` hits at most; the scores stay. Where the model
 * names none, or there is none, the fused order holds. @throws {InferenceError} where it does not answer
 */
async function rerank(
  { reranker }: SearchDeps,
  ledger: UseLedger,
  { tenantId, scopeId, limit }: ScopeSearch,
  { text }: ReadQuery,
  answer: SearchAnswer,
): Promise<SearchAnswer> {
  const fused = { ...answer, hits: answer.hits.slice(0, limit) };
  if (reranker === null || answer.hits.length === 0) return fused;
  const onUsage = countGenerations(ledger, { tenantId, scope: { scopeId }, purpose: 'memory_recall' });
  const texts = answer.hits.map((hit) => hit.text);
  const order = await reranker.order(text, texts, onUsage);
  if (order === null) return fused;
  return { ...answer, hits: order.flatMap((index) => answer.hits[index] ?? []).slice(0, limit) };
}
