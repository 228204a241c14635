import { pick, type Random, seededRandom } from '../data/random.ts';
import type { LabeledQuestion, LabeledSet } from './shapes.ts';

/** Words of a sentence of other text. */
const sentenceWords = 9;

/** Languages that are written without spaces. */
const unspaced = new Set(['zh', 'Chinese', 'Japanese kana and kanji', 'Thai']);

let segmenter: Intl.Segmenter | undefined;

/**
 * The questions of a set, each at a random place in about `words` words of other text: sentences of words that entries of the same
 * language hold, each word from another entry. Whole entries would be the best answers to such a prompt.
 */
export function makePrompts({ entries, questions }: LabeledSet, words: number): LabeledQuestion[] {
  const random = seededRandom(words);
  return questions.map((question) => {
    const others = entries.filter(
      ({ id, language }) => language === question.language && !question.answers.includes(id),
    );
    const texts = others.map(({ text }) => text);
    const sentences = Array.from({ length: Math.ceil(words / sentenceWords) }, () =>
      makeSentence(random, texts, question),
    );
    const place = Math.floor(random() * (sentences.length + 1));
    return { ...question, text: sentences.toSpliced(place, 0, question.text).join(' ') };
  });
}

function makeSentence(random: Random, texts: readonly string[], { language }: LabeledQuestion): string {
  const words = Array.from({ length: sentenceWords }, () => pick(random, wordsOf(pick(random, texts))));
  if (unspaced.has(language)) return `${words.join('')}。`;
  const sentence = words.join(' ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}
