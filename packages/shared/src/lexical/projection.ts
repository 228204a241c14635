import { hash } from 'node:crypto';
import { analyzeEntry } from './analyze-entry.ts';
import { languagesOf } from './key-languages.ts';

/** The lexical projection of a text: what search reads of it. */
export interface Projection {
  /** Hashed index terms, ascending. */
  terms: number[];
  /** How often each occurs, in the same order. */
  frequencies: number[];
  /** Length in words, for BM25. */
  length: number;
  /** As `languagesOf` has those of the terms. */
  languages: number;
}

/** Whose terms these are. */
export interface TermSpace {
  tenantId: number;
  scopeId: string;
  /** Which texts of the Scope, where an area keeps more than one kind: each has statistics of its own. */
  kind?: string;
}

const maxSmallint = 32_767;

/**
 * The index term of a key: 52 bits of a SHA-256 over tenant, Scope, kind and key, exact in a JavaScript number. Two Scopes
 * share no term, so that one index serves all of them and none can be seen through another.
 */
export function hashTerm({ tenantId, scopeId, kind }: TermSpace, key: string): number {
  const whose = kind === undefined ? `${tenantId}\n${scopeId}` : `${tenantId}\n${scopeId}\n${kind}`;
  return Number.parseInt(hash('sha256', `${whose}\n${key}`).slice(0, 13), 16);
}

/**
 * Texts that are written one after the other share a batch, and its number is one more index term of each: what is newest
 * is found by the index on terms together with a word, however many older texts hold the word.
 */
export const batchSize = 2_048;

/** The term of batch 0; the others follow it. No text has this key. */
export function firstBatchTerm(space: TermSpace): number {
  return hashTerm(space, '\0batch');
}

export function projectEntry(space: TermSpace, text: string): Projection {
  const { terms, length } = analyzeEntry(text);
  const hashed = [...terms].map(([key, frequency]) => [hashTerm(space, key), frequency] as const);
  hashed.sort(([left], [right]) => left - right);
  return {
    terms: hashed.map(([term]) => term),
    frequencies: hashed.map(([, frequency]) => Math.min(frequency, maxSmallint)),
    length: Math.min(length, maxSmallint),
    languages: languagesOf(terms.keys()),
  };
}

/**
 * By how much each term's number of entries changes, ascending by term so that two writers of one Scope take the rows in
 * the same order. Terms without change are left out.
 */
export function termDeltas(before: number[][], after: number[][]): Map<number, number> {
  const deltas = new Map<number, number>();
  for (const term of before.flat()) deltas.set(term, (deltas.get(term) ?? 0) - 1);
  for (const term of after.flat()) deltas.set(term, (deltas.get(term) ?? 0) + 1);
  const changed = [...deltas].filter(([, delta]) => delta !== 0);
  return new Map(changed.sort(([left], [right]) => left - right));
}
