import type { TenantId } from '@continuity/kernel/database';
import type { AnalyzedQuery } from '../analyze/analyzed-query.ts';
import { languageOf } from '../analyze/language-mask.ts';
import type { QueryAnalysis } from '../analyze/query-terms.ts';
import { type CorpusId, hashTerm } from '../index/projection.ts';

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

/** Distinct terms of one segment that admit a text (spec 25 Q4). */
const admittingTerms = 2;

/**
 * Bits of a _use_, an integer that says in which term of which segment a key occurs, and with which weight:
 *
 *     segment | is it the only term of the segment | term | weight in thousandths
 */
const weightBits = 10;
const termBits = 10;

/** SQL of the parts of a use: a segment together with its flag, and a term in a segment. */
export const useSql = {
  segmentOfTerm: (term: string): string => `(${term} >> ${termBits})`,
  term: (use: string): string => `(${use} >> ${weightBits})`,
  isOnly: (use: string): string => `((${use} >> ${weightBits + termBits}) & 1 = 1)`,
  weight: (use: string): string => `((${use} & ${2 ** weightBits - 1}) / 1000::float8)`,
};

/**
 * Values of the parameters that every lexical statement has:
 *
 * - $1 tenant, $2 Scope id
 * - $3 to $6 hash and language of each distinct key, and the places of its first and last use
 * - $7 the uses
 * - $8 how many terms of a segment admit a text that holds neither its only one nor a rare one
 * - $9 the limit
 *
 * @param languages mask of the languages in which words are looked up
 */
export function queryParameters(query: LexicalQuery, corpus: CorpusId, languages: number): unknown[] {
  const usesOfKeys = usesByKey(query.query.analysisIn(languages));
  const [first, last, uses]: [number[], number[], number[]] = [[], [], []];
  for (const usesOfKey of usesOfKeys.values()) {
    first.push(uses.length + 1);
    uses.push(...usesOfKey);
    last.push(uses.length);
  }
  const keys = [...usesOfKeys.keys()];
  return [
    query.tenantId,
    query.scopeId,
    arrayLiteral(keys.map((key) => hashTerm(corpus, key))),
    arrayLiteral(keys.map(languageOf)),
    arrayLiteral(first),
    arrayLiteral(last),
    arrayLiteral(uses),
    query.admitsAnyTerm === true ? 1 : admittingTerms,
    query.limit,
  ];
}

/** Number of the first parameter after those of `queryParameters`. */
export const firstOwnParameter = 10;

function usesByKey({ terms, segments }: QueryAnalysis): Map<string, number[]> {
  const uses = new Map<string, number[]>();
  for (const [segment, { terms: places }] of segments.entries()) {
    const flagged = 2 * segment + Number(places.length === 1);
    for (const place of places) {
      const term = (flagged << termBits) | place;
      const { keys, weights } = terms[place] ?? { keys: [], weights: [] };
      for (const [index, key] of keys.entries()) {
        const use = (term << weightBits) | Math.round((weights[index] ?? 1) * 1000);
        const known = uses.get(key);
        if (known === undefined) uses.set(key, [use]);
        else known.push(use);
      }
    }
  }
  return uses;
}

/** A PostgreSQL array as text: the driver would inspect each element of a JavaScript array. */
export function arrayLiteral(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
