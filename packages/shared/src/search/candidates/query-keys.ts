import type { TenantId } from '@continuity/kernel/database';
import { requiredTerms } from '../analyze/analyze-query.ts';
import type { AnalyzedQuery } from '../analyze/analyzed-query.ts';
import { languageOf } from '../analyze/language-mask.ts';
import { type CorpusId, hashTerm } from '../index/projection.ts';

/** A lexical search of one corpus. */
export interface LexicalQuery {
  tenantId: TenantId;
  scopeId: string;
  query: AnalyzedQuery;
  /** Limit of hits. */
  limit: number;
  /** How many of n query terms a text must hold. Default: the rule of spec 20 S7. */
  required?: (n: number) => number;
}

/**
 * Values of the parameters that every lexical statement has: $1 tenant, $2 Scope id, $3 to $5 query term, hash and weight
 * of each index key, $6 how many query terms a text must hold, $7 the language of each key, $8 the limit.
 *
 * @param languages mask of the languages in which words are looked up
 */
export function queryParameters(query: LexicalQuery, corpus: CorpusId, languages: number): unknown[] {
  const terms = query.query.termsIn(languages);
  const keys = terms.flatMap(({ keys, weights }, term) =>
    keys.map((key, place) => ({ term, key, weight: weights[place] ?? 1 })),
  );
  return [
    query.tenantId,
    query.scopeId,
    arrayLiteral(keys.map(({ term }) => term)),
    arrayLiteral(keys.map(({ key }) => hashTerm(corpus, key))),
    arrayLiteral(keys.map(({ weight }) => weight)),
    (query.required ?? requiredTerms)(terms.length),
    arrayLiteral(keys.map(({ key }) => languageOf(key))),
    query.limit,
  ];
}

/** A PostgreSQL array as text: the driver would inspect each element of a JavaScript array. */
export function arrayLiteral(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
