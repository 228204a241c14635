import type { TenantId } from '@continuity/kernel/database';
import type { AnalyzedQuery } from '../analyze/analyze-query.ts';
import { type CorpusId, hashTerm } from '../index/projection.ts';
import { admittingTerms } from './admission.ts';
import { usesByKey } from './key-uses.ts';

/** A lexical search of one corpus. */
export interface LexicalQuery {
  tenantId: TenantId;
  scopeId: string;
  query: AnalyzedQuery;
  /** Limit of hits. */
  limit: number;
  /** Admits a text that holds any term, however common it is. Default: the rule of spec 25 Q4. */
  admitsAnyTerm?: boolean;
}

/**
 * Values of the parameters that every lexical statement has:
 *
 * - $1 tenant, $2 Scope id
 * - $3 to $5 hash of each distinct key, ascending, and the places of its first and last use
 * - $6 the uses
 * - $7 how many terms of a segment admit a text that holds neither its only one nor a rare one
 * - $8 the limit
 *
 * @param languages mask of the languages in which words are looked up
 */
export function queryParameters(query: LexicalQuery, corpus: CorpusId, languages: number): unknown[] {
  const usesOfKeys = [...usesByKey(query.query.analysisIn(languages))]
    .map(([key, uses]) => ({ hash: hashTerm(corpus, key), uses }))
    .sort((one, other) => one.hash - other.hash);
  const [first, last, uses]: [number[], number[], number[]] = [[], [], []];
  for (const key of usesOfKeys) {
    first.push(uses.length + 1);
    uses.push(...key.uses);
    last.push(uses.length);
  }
  return [
    query.tenantId,
    query.scopeId,
    arrayLiteral(usesOfKeys.map(({ hash }) => hash)),
    arrayLiteral(first),
    arrayLiteral(last),
    arrayLiteral(uses),
    query.admitsAnyTerm === true ? 1 : admittingTerms,
    query.limit,
  ];
}

/** Number of the first parameter after those of `queryParameters`. */
export const firstOwnParameter = 9;

/** A PostgreSQL array as text: the driver would inspect each element of a JavaScript array. */
export function arrayLiteral(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
