import { hash } from 'node:crypto';
import type { TenantId } from '@continuity/kernel/database';
import type { Steps } from '@continuity/kernel/fairness';
import { type AnalyzedText, analyzeSteps } from '../analyze/analyze-text.ts';
import { languageOf } from '../analyze/language-mask.ts';

/** The lexical projection of a text: what its row stores for search. */
export interface Projection {
  /** Hashed index keys, ascending. */
  terms: number[];
  /** How often each occurs, in the same order. */
  frequencies: number[];
  /** Length in words, for BM25. */
  length: number;
  /** Mask of the languages of the keys, as `languagesOf` gives it. */
  languages: number;
}

/** Identifies a corpus: the texts that are searched together and share statistics. */
export interface CorpusId {
  tenantId: TenantId;
  scopeId: string;
  /** Distinguishes the corpora of a Scope: each Family of documents has its own. Absent for Memory entries. */
  kind?: string;
}

const maxSmallint = 32_767;

/**
 * The index term of a key: 52 bits of a SHA-256 over tenant, Scope, kind and key, exact in a JavaScript number. Two
 * corpora share no term, so that one index serves all of them, and a term finds no text of another corpus.
 */
export function hashTerm({ tenantId, scopeId, kind }: CorpusId, key: string): number {
  const corpus = kind === undefined ? `${tenantId}\n${scopeId}` : `${tenantId}\n${scopeId}\n${kind}`;
  return Number.parseInt(hash('sha256', `${corpus}\n${key}`).slice(0, 13), 16);
}

/**
 * Number of texts of one batch. Recency is indexed as a batch term: consecutive texts share a batch, and each has its number as one
 * more index term. So the index finds the newest texts with a word, however many older texts hold it.
 */
export const batchSize = 2_048;

/** The term of batch 0; the following integers are those of the other batches. No text has this key. */
export function firstBatchTerm(corpus: CorpusId): number {
  return hashTerm(corpus, '\0batch');
}

/** Projections by text. */
export type TextProjections = ReadonlyMap<string, Projection>;

/** Analyzes texts in steps. */
export function* projectTexts(corpus: CorpusId, texts: readonly string[]): Steps<TextProjections> {
  const projections = new Map<string, Projection>();
  for (const text of texts) projections.set(text, yield* projectSteps(corpus, text));
  return projections;
}

/** Analyzes a text for the index in steps: a long text takes longer than the event loop may wait. */
export function* projectSteps(corpus: CorpusId, text: string): Steps<Projection> {
  return yield* hashSteps(corpus, yield* analyzeSteps(text));
}

/** The projection of an analyzed text, in steps. */
export function* hashSteps(corpus: CorpusId, { terms, length }: AnalyzedText): Steps<Projection> {
  const hashed = new Map<number, number>();
  let languages = 0;
  for (const [key, frequency] of terms) {
    hashed.set(hashTerm(corpus, key), frequency);
    languages |= languageOf(key);
    yield;
  }
  const sorted = sortedNumbers(hashed.keys());
  yield;
  const frequencies: number[] = [];
  for (const term of sorted) {
    frequencies.push(Math.min(hashed.get(term) ?? 0, maxSmallint));
    yield;
  }
  return { terms: Array.from(sorted), frequencies, length: Math.min(length, maxSmallint), languages };
}

/** Sorts a typed array, which takes a tenth of the time of an array of pairs. */
function sortedNumbers(numbers: Iterable<number>): Float64Array {
  return Float64Array.from(numbers).sort();
}

/**
 * How much the document frequency of each term changes, in steps. Ascending by term, so that two writers of one Scope lock the
 * rows in the same order; terms without a change are left out.
 */
export function* termDeltas(before: number[][], after: number[][]): Steps<Map<number, number>> {
  const deltas = new Map<number, number>();
  for (const [lists, change] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const terms of lists) {
      for (const term of terms) deltas.set(term, (deltas.get(term) ?? 0) + change);
      yield;
    }
  }
  const sorted = sortedNumbers(deltas.keys());
  yield;
  const changed = new Map<number, number>();
  for (const term of sorted) {
    const delta = deltas.get(term) ?? 0;
    if (delta !== 0) changed.set(term, delta);
    yield;
  }
  return changed;
}
