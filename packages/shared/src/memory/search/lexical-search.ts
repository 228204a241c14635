import type { Sql } from '@continuity/kernel/database';
import {
  type CorpusCache,
  firstBatchTerm,
  type LexicalQuery,
  queryParameters,
  searchCorpus,
} from '../../search/index.ts';
import { type EntryKey, keyOf } from './entry-key.ts';
import {
  type ChannelHit,
  type SearchStatements,
  scoreEntries,
  searchAllMemories,
  searchMemoriesAsOf,
} from './lexical-statements.ts';

export interface LexicalAnswer {
  /** Head revision of the Scope Memory; null if the Scope has none. */
  headRevision: number | null;
  /** Best first. */
  hits: ChannelHit[];
  /** Mask of the languages of the Scope's entries. */
  languages: number;
}

/** The time of a search, as RFC 3339 in UTC: what held then. Without it, what has not ended by now (spec 26 S1). */
export interface AsOf {
  asOf?: string | null | undefined;
}

/** The lexical channel (spec 20 S6 to S8): admitted active entries of all Memory Artifacts of a Scope, best first. */
export async function searchLexically(
  sql: Sql,
  cache: CorpusCache,
  query: LexicalQuery & AsOf,
  statements: SearchStatements = searchAllMemories,
): Promise<LexicalAnswer> {
  const { asOf } = query;
  const search = {
    corpus: query,
    ...(asOf ? { statements: searchMemoriesAsOf, values: [asOf] } : { statements }),
    firstBatch: firstBatchTerm(query),
  };
  const rows = await searchCorpus(sql, cache, search, query);
  const [first] = rows;
  return {
    headRevision: first?.scope_revision ?? null,
    hits: rows.filter((row) => row.entry_id !== null),
    languages: first?.languages ?? 0,
  };
}

/** BM25 of an entry, and its coverage of the segment that gave it (spec 20 S10). */
export interface LexicalScore {
  score: number;
  coverage: number;
}

/**
 * The scores of given active entries by `keyOf`, also of those that hold too few query terms to be admitted. An entry without
 * any query term has none.
 */
export async function scoreLexically(
  sql: Sql,
  query: LexicalQuery,
  languages: number,
  entries: readonly EntryKey[],
): Promise<ReadonlyMap<string, LexicalScore>> {
  if (entries.length === 0) return new Map();
  const asked = { ...query, limit: entries.length, admitsAnyTerm: true };
  const rows = await sql.rows(scoreEntries, [
    ...queryParameters(asked, query, languages),
    entries.map(({ artifact_key }) => artifact_key),
    entries.map(({ entry_id }) => entry_id),
  ]);
  return new Map(rows.map((row) => [keyOf(row), row]));
}
