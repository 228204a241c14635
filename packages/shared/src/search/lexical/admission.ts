import { optimizationFence } from '@continuity/kernel/database';
import { useSql } from './key-uses.ts';
import { plainTerms, type TermIndex } from './term-index.ts';

/*
 * Lexical admission (spec 25 Q4). A segment of a query admits a text that holds, of its terms,
 *
 * - two different ones, or
 * - the only one, or
 * - a rare one: in a form whose document frequency is at most the larger of three and a fiftieth of all texts.
 *
 * In a corpus of up to 64 texts, texts with the same words count once: a statement that is remembered in several kinds would make
 * each of its words common.
 */

/** Distinct terms of one segment that admit a text. */
export const admittingTerms = 2;

const minRareTexts = 3;
const textsForEachRare = 50;

/** Size of a corpus up to which texts with the same words count once. */
export const maxCountedTexts = 64;

/** Limit of keys, rarest first, whose texts a search compares. */
const maxCountedKeys = 32;

/** SQL for the largest document frequency of a rare key, beside `corpus` as `c`. */
export const maxRareTexts = `greatest(${minRareTexts}, c.total / ${textsForEachRare})`;

/**
 * SQL for whether a key `f` of `found` is rare. `found` has the document frequency `df` and `max_rare` of each key.
 *
 * @param mayBeTiny whether the corpus can have so few texts that those with the same words count once
 */
export function isRareKey(index: TermIndex, mayBeTiny: boolean): string {
  if (!mayBeTiny) return 'f.df <= f.max_rare';
  return `(f.df <= f.max_rare OR f.key = ANY (ARRAY(
       SELECT k.key FROM (
         SELECT key, max_rare FROM found
         WHERE df > max_rare AND (SELECT total <= ${maxCountedTexts} FROM corpus) ORDER BY df, key LIMIT ${maxCountedKeys}
       ) AS k CROSS JOIN LATERAL (
         SELECT count(DISTINCT ${index.ascending}) AS texts
         FROM (${textsOfKey(index)} ${optimizationFence}) AS c
         WHERE c.tenant_id = $1 AND c.scope_key = (SELECT scope_key FROM corpus)
       ) AS d
       WHERE d.texts <= k.max_rare)))`;
}

/** All texts with the key `k.key`, those too that a search leaves out. */
function textsOfKey(index: TermIndex): string {
  if (index.selection === undefined) return `SELECT * FROM ${index.texts} WHERE terms @> ARRAY[k.key]`;
  return `SELECT tenant_id, scope_key, ${plainTerms('s')} AS terms FROM ${index.texts} s WHERE s.terms && ARRAY[k.key, -k.key]`;
}

/** SQL for whether one key with this use admits a text by itself. */
export function admitsAlone(isRare: string, use: string): string {
  return `(${isRare} OR ${useSql.isOnly(use)})`;
}

/** SQL condition on a group of the terms of one segment that a text holds: `admits` says of each whether it does so by itself. */
export const admitsText = 'count(*) >= $7::int OR bool_or(admits)';
