import { findStatements } from '@continuity/shared/memory';
import type { LabeledSentence } from '../extraction-set/sentences.ts';

/** Shares from 0 to 1 over labeled sentences, each a Source of its own. */
interface ExtractionQuality {
  /** Sentences worth an entry among those that got one. */
  precision: number;
  /** Sentences that got an entry among those worth one. */
  recall: number;
  /** Entries of the right kind among the sentences that are worth one and got one. */
  kinds: number;
}

/** Extracts each sentence by the built-in rules under `coding` and compares kind and selection with its label. */
export function measureExtraction(sentences: readonly LabeledSentence[]): ExtractionQuality {
  const results = sentences.map((sentence) => ({ sentence, kind: extractedKind(sentence.text) }));
  const kept = results.filter(({ kind }) => kind !== null);
  const worthy = results.filter(({ sentence }) => sentence.kind !== null);
  const right = kept.filter(({ sentence }) => sentence.kind !== null);
  return {
    precision: right.length / kept.length,
    recall: right.length / worthy.length,
    kinds: right.filter(({ sentence, kind }) => sentence.kind === kind).length / right.length,
  };
}

/** The kind of the entry that a sentence becomes; null if it becomes none. */
export function extractedKind(text: string): LabeledSentence['kind'] {
  const { statements } = findStatements({ json: JSON.stringify(text), record: null }, 'coding');
  return statements[0]?.kind ?? null;
}
