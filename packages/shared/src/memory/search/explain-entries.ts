import type { Sql } from '@continuity/kernel/database';
import { type LexicalQuery, queryParameters, type SegmentMatch } from '../../search/index.ts';
import type { SearchDeps } from './deps.ts';
import { type EntryKey, keyOf } from './entry-key.ts';
import { explainEntriesStatement, rareTermsParameters, rareTermsStatement } from './lexical-statements.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { ScopeSearch } from './search-scope.ts';
import { scoreByVector } from './vectors/index.ts';

type ExplainDeps = Pick<SearchDeps, 'vectorSupport' | 'corpusCache'>;

/**
 * What active entries of a Scope hold of the segments of a query, by `keyOf`; none for one without a query term. Call it after the search
 * of the Scope on the same snapshot, which fills the cache.
 */
export async function explainEntries(
  sql: Sql,
  { corpusCache }: ExplainDeps,
  { tenantId, scopeId }: ScopeSearch,
  { words }: ParsedQuery,
  entries: readonly EntryKey[],
): Promise<Map<string, SegmentMatch[]>> {
  if (entries.length === 0) return new Map();
  const query: LexicalQuery = { tenantId, scopeId, query: words, limit: entries.length };
  const rows = await sql.rows(explainEntriesStatement, [
    ...queryParameters(query, query, corpusCache.get(query).languages),
    entries.map(({ artifact_key }) => artifact_key),
    entries.map(({ entry_id }) => entry_id),
  ]);
  return Map.groupBy(rows, keyOf);
}

/** The places of the query terms that are rare in a Scope. Call it as `explainEntries`. */
export async function findRareTerms(
  sql: Sql,
  { corpusCache }: ExplainDeps,
  { tenantId, scopeId }: ScopeSearch,
  { words }: ParsedQuery,
): Promise<Set<number>> {
  const query: LexicalQuery = { tenantId, scopeId, query: words, limit: 1 };
  const parameters = queryParameters(query, query, corpusCache.get(query).languages);
  const rows = await sql.rows(rareTermsStatement, parameters.slice(0, rareTermsParameters));
  return new Set(rows.map(({ place }) => place));
}

/** The cosine similarity of active entries to a query, by `keyOf`; none without an embedding of the query or the entry. */
export async function measureSimilarities(
  sql: Sql,
  { vectorSupport }: ExplainDeps,
  { tenantId, scopeId }: ScopeSearch,
  { vector }: ParsedQuery,
  entries: readonly EntryKey[],
): Promise<ReadonlyMap<string, number>> {
  if (vector === null || entries.length === 0) return new Map();
  const support = await vectorSupport.read(sql, vector.profile);
  const query = { tenantId, scopeId, vector, limit: entries.length, onlyIfCovered: false };
  return await scoreByVector(sql, support, query, entries);
}
