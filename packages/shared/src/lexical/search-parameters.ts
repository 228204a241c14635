import { type QueryTerm, requiredTerms } from './analyze-query.ts';
import { languageOf } from './key-languages.ts';
import { firstBatchTerm, hashTerm, type TermSpace } from './projection.ts';
import { QueryWords } from './query-words.ts';
import { maxPaired } from './search-pairs.ts';

/** What a lexical search looks for. */
export interface LexicalQuery {
  tenantId: number;
  scopeId: string;
  /** Normalized text, or its words where it is asked of many. */
  query: string | QueryWords;
  /** Most hits. */
  limit: number;
  /** How many of n query terms a text must hold; as S7 has it when left out. */
  required?: (n: number) => number;
}

/**
 * Values of a search's first nine parameters: tenant, Scope, query term, key and weight of each index term that is looked
 * for, how many query terms a text must hold, the term of batch 0, the limit, and the language of each index term.
 *
 * @param languages those that words are looked for in (`languagesOf`)
 */
export function lexicalParameters(
  { tenantId, scopeId, query, limit, required = requiredTerms }: LexicalQuery,
  languages: number,
  space: TermSpace,
  firstBatch = firstBatchTerm(space),
): unknown[] {
  const terms = wordsOf(query).termsIn(languages);
  const keys = terms.flatMap((term, ord) =>
    term.keys.map((key, index) => ({ ord, key, weight: term.weights[index] })),
  );
  return [
    tenantId,
    scopeId,
    // Written here: the driver would look at each element.
    `{${keys.map(({ ord }) => ord).join(',')}}`,
    `{${keys.map(({ key }) => hashTerm(space, key)).join(',')}}`,
    `{${keys.map(({ weight }) => weight).join(',')}}`,
    required(terms.length),
    firstBatch,
    limit,
    `{${keys.map(({ key }) => languageOf(key)).join(',')}}`,
  ];
}

/** Whether a text must hold two of a query's terms or more, and they are few enough to be read in pairs only. */
export function isPaired({ length }: readonly QueryTerm[], required = requiredTerms): boolean {
  return required(length) > 1 && length <= maxPaired;
}

/** The words of a query, also where it is still text. */
export function wordsOf(query: LexicalQuery['query']): QueryWords {
  return typeof query === 'string' ? new QueryWords(query) : query;
}
