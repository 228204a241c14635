import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '../data/random.ts';
import { germanCore } from './data/core-de.ts';
import { englishCore } from './data/core-en.ts';
import { chineseCore } from './data/core-zh.ts';
import { germanTopics } from './data/topics-de.ts';
import { englishTopics } from './data/topics-en.ts';
import { chineseTopics } from './data/topics-zh.ts';
import { generateEntries } from './generate.ts';
import { parseParagraphs } from './parse.ts';
import { type Language, type LanguageTopics, languages, type Question, type SearchSet } from './shapes.ts';

/** Generated entries per language that have a question. */
const questionedEntries = 60;
/** One in three questions is held out. */
const heldOutOf = 3;

const data: Readonly<Record<Language, { core: string; topics: LanguageTopics }>> = {
  en: { core: englishCore, topics: englishTopics },
  de: { core: germanCore, topics: germanTopics },
  zh: { core: chineseCore, topics: chineseTopics },
};

/** Generates the labeled set, the same one each time. Entries of all languages and topics are shuffled. */
export function makeSearchSet(): SearchSet {
  const random = seededRandom(61);
  const parts = languages.flatMap((language) => [
    readCore(language, data[language].core),
    generateTopics(language, data[language].topics, random),
  ]);
  return {
    entries: shuffle(
      parts.flatMap(({ entries }) => entries),
      random,
    ),
    questions: parts.flatMap(({ questions }) => questions),
  };
}

function readCore(language: Language, core: string): SearchSet {
  const paragraphs = parseParagraphs(core).map((paragraph, index) => ({
    ...paragraph,
    id: `${language}-core-${index}`,
  }));
  return {
    entries: paragraphs.map(({ id, head, texts }) => ({
      id,
      language,
      kind: head[0] ?? '',
      text: texts[0] ?? '',
    })),
    questions: paragraphs.flatMap(({ id, asks }) =>
      asks.map((ask) => questionOf(language, ask, id, 'written')),
    ),
  };
}

function generateTopics(language: Language, topics: LanguageTopics, random: Random): SearchSet {
  const generated = generateEntries(language, topics, random).map((entry, index) => ({
    ...entry,
    id: `${language}-topic-${index}`,
  }));
  const asked = shuffle(generated, random).slice(0, questionedEntries);
  return {
    entries: generated.map(({ id, kind, text }) => ({ id, language, kind, text })),
    questions: asked.flatMap(({ id, asks }, index) => {
      const ask = asks[index % asks.length];
      return ask === undefined ? [] : [questionOf(language, ask, id, 'generated')];
    }),
  };
}

function questionOf(
  language: Language,
  { kind, text }: Pick<Question, 'kind' | 'text'>,
  answer: string,
  origin: Question['origin'],
): Question {
  return { language, kind, text, answers: [answer], origin, isHeldOut: isHeldOut(text) };
}

/** Depends only on the text, so that a new question changes the part of no other. */
function isHeldOut(text: string): boolean {
  return createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0) % heldOutOf === 0;
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
