import type { LabeledSet, Language } from '../search-set/shapes.ts';
import { chineseConversation } from './data/chinese.ts';
import { englishConversation } from './data/english.ts';
import { germanConversation } from './data/german.ts';

const data: Readonly<Partial<Record<Language, string>>> = {
  en: englishConversation,
  de: germanConversation,
  zh: chineseConversation,
};

/**
 * Conversations of about 120 turns, one in each language, in the order of their turns. Each turn is an entry. Of a question, the answer is
 * one turn, which often stands beside another one that has more of its words.
 */
export function makeConversations(): LabeledSet {
  const parts = Object.entries(data).map(([language, text]) => parseConversation(language, text));
  return {
    entries: parts.flatMap(({ entries }) => entries),
    questions: parts.flatMap(({ questions }) => questions),
  };
}

/** Parses lines of the form `> turn`, and `? question` below the turn that answers it. Throws if a line has another form. */
function parseConversation(language: string, text: string): LabeledSet {
  const entries: { id: string; language: string; kind: string; text: string }[] = [];
  const questions: { language: string; text: string; answers: string[] }[] = [];
  for (const line of text.trim().split('\n')) {
    const [mark, words] = [line.slice(0, 2), line.slice(2)];
    const last = entries.at(-1);
    if (mark === '> ')
      entries.push({ id: idOf(language, entries.length), language, kind: 'fact', text: words });
    else if (mark === '? ' && last !== undefined)
      questions.push({ language, text: words, answers: [last.id] });
    else throw new Error(`Not a turn or question: ${line}`);
  }
  return { entries, questions };
}

function idOf(language: string, turn: number): string {
  return `${language}-turn-${turn}`;
}
