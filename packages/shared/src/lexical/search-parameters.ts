import { requiredTerms } from './analyze-query.ts';
import { languageOf } from './key-languages.ts';
import { hashTerm, type TermSpace } from './projection.ts';
import { QueryWords } from './query-words.ts';

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

/** An index term that is looked for. */
export interface AskedKey {
  /** Which of the query terms it is of. */
  ord: number;
  /** Hashed. */
  key: number;
  weight: number;
  /** As `languageOf` has it. */
  language: number;
}

/** The index terms of a query, in its order. @param languages those that words are looked for in (`languagesOf`) */
export function askedKeys({ query }: LexicalQuery, languages: number, space: TermSpace): AskedKey[] {
  return wordsOf(query)
    .termsIn(languages)
    .flatMap(({ keys, weights }, ord) =>
      keys.map((key, index) => ({
        ord,
        key: hashTerm(space, key),
        weight: weights[index] ?? 1,
        language: languageOf(key),
      })),
    );
}

/** How many query terms a text must hold, and how many there are. */
export function termsOf({ query, required = requiredTerms }: LexicalQuery): {
  count: number;
  required: number;
} {
  const count = wordsOf(query).count;
  return { count, required: required(count) };
}

/**
 * Values of a search's first nine parameters: tenant, Scope, query term, key and weight of each index term that is looked
 * for, how many query terms a text must hold, the term of batch 0, the limit, and the language of each index term.
 */
export function lexicalParameters(
  query: LexicalQuery,
  keys: readonly AskedKey[],
  firstBatch: number,
): unknown[] {
  return [
    query.tenantId,
    query.scopeId,
    // Written here: the driver would look at each element.
    `{${keys.map(({ ord }) => ord).join(',')}}`,
    `{${keys.map(({ key }) => key).join(',')}}`,
    `{${keys.map(({ weight }) => weight).join(',')}}`,
    termsOf(query).required,
    firstBatch,
    query.limit,
    `{${keys.map(({ language }) => language).join(',')}}`,
  ];
}

/** The words of a query, also where it is still text. */
export function wordsOf(query: LexicalQuery['query']): QueryWords {
  return typeof query === 'string' ? new QueryWords(query) : query;
}
