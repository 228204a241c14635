import type { Sql, Statement } from '@continuity/kernel/database';
import type { CorpusId } from '../index/projection.ts';
import type { CorpusCache, CorpusFacts } from './corpus-cache.ts';
import { maxExactTerms, smallCorpusSize } from './limits.ts';
import { type LexicalQuery, queryParameters } from './query-keys.ts';

/** The columns of `corpus` that each row of a search must have. */
export interface CorpusRow {
  /** Texts of the corpus. */
  total: number;
  languages: number;
}

/** The statements that search a corpus: see `ScoringTexts`. */
export interface CorpusStatements<R extends CorpusRow> {
  small: Statement<R>;
  large: Statement<R>;
  long: Statement<R>;
}

/** How to search one corpus. */
interface CorpusSearch<R extends CorpusRow> {
  corpus: CorpusId;
  statements: CorpusStatements<R>;
  /** Values of further parameters, from `firstOwnParameter` on. */
  values?: unknown[];
  /** Term of batch 0: the last parameter, not of the small statement. */
  firstBatch: number;
}

/**
 * Searches a corpus by words: one statement, and a second one where the cache has no or stale facts about the corpus. The answer
 * does not depend on the cache. No row means that there is nothing to search.
 */
export async function searchCorpus<R extends CorpusRow>(
  sql: Sql,
  cache: CorpusCache,
  { corpus, statements, values = [], firstBatch }: CorpusSearch<R>,
  query: LexicalQuery,
): Promise<R[]> {
  let expected = cache.get(corpus);
  const { segments } = query.query.analysisIn(expected.languages);
  const isLong = segments.reduce((sum, { terms }) => sum + terms.length, 0) > maxExactTerms;
  for (;;) {
    const parameters = [...queryParameters(query, corpus, expected.languages), ...values];
    const { small, large, long } = statements;
    const rows =
      isLong || expected.isLarge
        ? await sql.rows(isLong ? long : large, [...parameters, firstBatch])
        : await sql.rows(small, parameters);
    const [first] = rows;
    if (first === undefined) return rows;
    const facts = factsOf(first);
    cache.set(corpus, facts);
    if ((isLong || expected.isLarge === facts.isLarge) && hasAllLanguages(expected, facts)) return rows;
    expected = facts;
  }
}

/** The cache entry of a corpus with this many texts and these languages. */
export function factsOf({ total, languages }: CorpusRow): CorpusFacts {
  return { isLarge: total > smallCorpusSize, languages };
}

/** Whether a search with the expected facts left no language out. */
function hasAllLanguages(expected: CorpusFacts, { languages }: CorpusFacts): boolean {
  return (languages & ~expected.languages) === 0;
}
