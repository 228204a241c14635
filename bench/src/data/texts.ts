import { pick, type Random } from './random.ts';
import { contentWords, functionWords } from './vocabulary.ts';

const functionShare = 0.42;
const identifierShare = 0.06;
const kinds = ['fact', 'decision', 'constraint', 'preference', 'working_note'] as const;

export interface Entry {
  kind: string;
  text: string;
}

/** A text of about `bytes` bytes that resembles the notes of an agent: sentences with identifiers and numbers. */
export function makeText(random: Random, bytes: number): string {
  let text = '';
  let sentence = 0;
  while (text.length < bytes - 4) {
    const word = makeWord(random);
    const startsSentence = sentence === 0;
    text += startsSentence ? `${text === '' ? '' : '. '}${capitalized(word)}` : ` ${word}`;
    sentence = sentence > 7 && random() < 0.2 ? 0 : sentence + 1;
  }
  return `${text}.`;
}

/** A stack trace of `characters` characters: frames in modules of a project, most of them several times. */
export function makeStackTrace(random: Random, characters: number): string {
  const frame = () => {
    const [object, method, folder, file] = Array.from({ length: 4 }, () =>
      pick(random, contentWords.slice(0, 60)),
    );
    return `    at ${object}.${method} (/srv/app/src/${folder}/${file}.ts:${Math.floor(random() * 900)}:${Math.floor(random() * 90)})`;
  };
  let trace = 'Error: request failed';
  while (trace.length < characters) trace += `\n${frame()}`;
  return trace.slice(0, characters);
}

export function makeEntry(random: Random, bytes: number): Entry {
  return { kind: pick(random, kinds), text: makeText(random, bytes) };
}

/** An index below `size`, distributed by the Zipf-Mandelbrot law: index i has a probability in proportion to 1 / (i + q). */
function zipfIndex(random: Random, size: number, q: number): number {
  return Math.min(Math.floor(q * ((size + q) / q) ** random() - q), size - 1);
}

function contentWord(random: Random): string {
  return wordOfRank(zipfIndex(random, contentWords.length, 10) + 1);
}

function functionWord(random: Random): string {
  return functionWords[zipfIndex(random, functionWords.length, 3)] ?? 'the';
}

/** Three to five content words, with the word frequencies of the texts. */
export function makeQuery(random: Random): string {
  return Array.from({ length: 3 + Math.floor(random() * 3) }, () => contentWord(random)).join(' ');
}

/** Three of the thirty most frequent content words. Each occurs in one of 10 to 30 entries. */
export function commonQuery(random: Random): string {
  return Array.from({ length: 3 }, () => pick(random, contentWords.slice(0, 30))).join(' ');
}

/** The two rarest words of an entry. */
export function rareQuery({ text }: Entry): string {
  const words = text.split(/[^a-z]+/).filter((word) => ranks.has(word));
  words.sort((left, right) => (ranks.get(right) ?? 0) - (ranks.get(left) ?? 0));
  return words.slice(0, 2).join(' ');
}

const ranks = new Map(contentWords.map((word, index) => [word, index + 1]));

/** The content word of a rank, 1 being the most frequent. */
function wordOfRank(rank: number): string {
  const word = contentWords[Math.min(rank, contentWords.length) - 1];
  if (word === undefined) throw new Error(`There is no word of rank ${rank}.`);
  return word;
}

function makeWord(random: Random): string {
  const choice = random();
  if (choice < functionShare) return functionWord(random);
  if (choice < functionShare + identifierShare) return makeIdentifier(random);
  return contentWord(random);
}

function makeIdentifier(random: Random): string {
  const [first, second] = [contentWord(random), contentWord(random)];
  const number = Math.floor(random() * 10_000);
  return pick(random, [
    `${first}${capitalized(second)}`,
    `${first}_${second}`,
    `src/${first}/${second}.ts`,
    `${first}-${number}`,
    String(number),
    `v${number % 20}.${number % 7}`,
  ]);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
