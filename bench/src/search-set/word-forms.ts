import { wordPairs } from '@continuity/testing/word-pairs';
import type { LabeledSet } from './shapes.ts';

/**
 * The word pairs of the tests as a labeled set. Each query that must find a text is a question with this one answer. A group of pairs
 * counts as a language.
 */
export function makeWordFormsSet(): LabeledSet {
  const pairs = Object.entries(wordPairs).flatMap(([language, ofLanguage]) =>
    ofLanguage.map(({ text, finds }, index) => ({ language, id: `${language} ${index}`, text, finds })),
  );
  return {
    entries: pairs.map(({ id, language, text }) => ({ id, language, kind: 'fact', text })),
    questions: pairs.flatMap(({ id, language, finds }) =>
      finds.map((text) => ({ language, text, answers: [id] })),
    ),
  };
}
