import type { Sql, Statement } from '@continuity/kernel/database';
import type { CorpusId } from '../index/projection.ts';
import type { CorpusCache, CorpusFacts } from './corpus-cache.ts';
import { smallCorpusSize } from './limits.ts';
import { type LexicalQuery, queryParameters } from './query-keys.ts';

/** The columns of `corpus` that each row of a search must have. */
export interface CorpusRow {
  /** Texts of the corpus. */
  total: number;
  languages: number;
}

/** How to search one corpus. */
interface CorpusSearch<R extends CorpusRow> {
  corpus: CorpusId;
  /** A statement with `scoreSmallCorpus`. */
  small: Statement<R>;
  /** A statement with `scoreLargeCorpus`. */
  large: Statement<R>;
  /** Values of further parameters, from $9 on. */
  values?: unknown[];
  /** Term of batch 0: the last parameter, of the large statement only. */
  firstBatch: number;
}

/**
 * Searches a corpus by words: one statement, and a second one where the cache has no or stale facts about the corpus.
 * The answer does not depend on the cache. No row means that there is nothing to search.
 */
export async function searchCorpus<R extends CorpusRow>(
  sql: Sql,
  cache: CorpusCache,
  { corpus, small, large, values = [], firstBatch }: CorpusSearch<R>,
  query: LexicalQuery,
): Promise<R[]> {
  let expected = cache.get(corpus);
  for (;;) {
    const parameters = [...queryParameters(query, corpus, expected.languages), ...values];
    const rows = expected.isLarge
      ? await sql.rows(large, [...parameters, firstBatch])
      : await sql.rows(small, parameters);
    const [first] = rows;
    if (first === undefined) return rows;
    const facts = factsOf(first);
    cache.set(corpus, facts);
    if (isCurrent(expected, facts)) return rows;
    expected = facts;
  }
}

/** The cache entry of a corpus with this many texts and these languages. */
export function factsOf({ total, languages }: CorpusRow): CorpusFacts {
  return { isLarge: total > smallCorpusSize, languages };
}

/** Whether a search with the expected facts was complete: the right statement, and no language left out. */
function isCurrent(expected: CorpusFacts, { isLarge, languages }: CorpusFacts): boolean {
  return expected.isLarge === isLarge && (languages & ~expected.languages) === 0;
}
