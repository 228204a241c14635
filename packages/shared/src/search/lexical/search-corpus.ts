import type { Sql, Statement } from '@continuity/kernel/database';
import type { CorpusId } from '../index/projection.ts';
import { maxCountedTexts } from './admission.ts';
import type { CorpusCache, CorpusFacts } from './corpus-cache.ts';
import { fewTexts, maxExactTerms, smallCorpusSize } from './limits.ts';
import { type LexicalQuery, queryParameters } from './query-keys.ts';
import type { ScoringTexts } from './scoring-sql.ts';

/** The statements that search a corpus. Each row has the columns of `corpus` with its facts. */
export type CorpusStatements<R extends CorpusFacts> = Readonly<Record<keyof ScoringTexts, Statement<R>>>;

/** How to search one corpus. */
interface CorpusSearch<R extends CorpusFacts> {
  corpus: CorpusId;
  statements: CorpusStatements<R>;
  /** Values of further parameters, from `firstOwnParameter` on. */
  values?: unknown[];
  /** Term of batch 0: the last parameter, not of `tiny` and `small`. */
  firstBatch: number;
}

/**
 * Searches a corpus by words: one statement, and a second one where the cache has no or stale facts about the corpus. The answer
 * does not depend on the cache. No row means that there is nothing to search.
 */
export async function searchCorpus<R extends CorpusFacts>(
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
    const kind = kindOf(expected, isLong);
    if (kind !== 'tiny' && kind !== 'small') parameters.push(firstBatch);
    const rows = await sql.rows(statements[kind], parameters);
    const [first] = rows;
    if (first === undefined) return rows;
    const facts = { total: first.total, languages: first.languages };
    cache.set(corpus, facts);
    if (canAnswer(kind, kindOf(facts, isLong)) && hasAllLanguages(expected, facts)) return rows;
    expected = facts;
  }
}

type Kind = keyof ScoringTexts;

function kindOf({ total }: CorpusFacts, isLong: boolean): Kind {
  if (isLong) return total > fewTexts ? 'long' : 'longOfFew';
  if (total > smallCorpusSize) return 'large';
  return total > maxCountedTexts ? 'small' : 'tiny';
}

/** Whether the statement of one kind gives the answer of another one. */
function canAnswer(sent: Kind, right: Kind): boolean {
  return sent === right || (sent === 'tiny' && right === 'small');
}

/** Whether a search with the expected facts left no language out. */
function hasAllLanguages(expected: CorpusFacts, { languages }: CorpusFacts): boolean {
  return (languages & ~expected.languages) === 0;
}
