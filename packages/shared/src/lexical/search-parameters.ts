import { analyzeQuery, type QueryTerm, requiredTerms } from './analyze-query.ts';
import { languageOf } from './key-languages.ts';
import { firstBatchTerm, hashTerm, type TermSpace } from './projection.ts';
import { maxPaired } from './search-pairs.ts';

/** What a lexical search looks for. */
export interface LexicalQuery {
  tenantId: number;
  scopeId: string;
  /** Text, or what `analyzeQuery` makes of it. */
  query: string | readonly QueryTerm[];
  /** Most hits. */
  limit: number;
  /** How many of n query terms a text must hold; as S7 has it when left out. */
  required?: (n: number) => number;
}

/**
 * Values of a search's first nine parameters: tenant, Scope, query term, key and weight of each index term that is looked
 * for, how many query terms a text must hold, the term of batch 0, the limit, and the language of each index term.
 */
export function lexicalParameters(
  { tenantId, scopeId, query, limit, required = requiredTerms }: LexicalQuery,
  space: TermSpace,
  firstBatch = firstBatchTerm(space),
): unknown[] {
  const terms = readTerms(query);
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

/** Whether a text must hold two terms of a query or more, and they are few enough to be read in pairs only. */
export function isPaired({ query, required = requiredTerms }: LexicalQuery): boolean {
  const { length } = readTerms(query);
  return required(length) > 1 && length <= maxPaired;
}

/** The terms of a query, analyzed where it is still text. */
export function readTerms(query: LexicalQuery['query']): readonly QueryTerm[] {
  return typeof query === 'string' ? analyzeQuery(query) : query;
}
