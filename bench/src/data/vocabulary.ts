import { pick, type Random, seededRandom } from './random.ts';

/** English function words; about two in five words of a text. */
export const functionWords = (
  'the of and to a in is that it for was on are with as be at by this have from or had not but what all were when we there ' +
  'can an your which their said if will each about how up out them then she many some so these would other into has more'
).split(' ');

/** Frequent words of project notes. They are first in the list, which makes them the most frequent. */
const projectWords = (
  'use service request database deploy test user error must never always default release config queue worker cache token ' +
  'schema migration index build version timeout retry endpoint limit tenant branch review secret backup restore metric ' +
  'alert owner staging production region customer invoice payment report import export format library package module'
).split(' ');

const onsets = 'b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z'.split(' ');
const vowels = 'a e i o u ai ea io ou'.split(' ');
const codas = ['', '', 'l', 'm', 'n', 'r', 'nd', 'nt', 'rk', 'ss', 'st', 'x'];
const endings = ['', '', '', 's', 'ed', 'ing', 'er', 'tion', 'ly'];

/** The vocabulary of a project of several years. By Zipf's law, few of the words make up most of the text. */
const size = 30_000;

/** Content words, the most frequent first: real words, then generated ones. */
export const contentWords: readonly string[] = makeWords();

function makeWords(): string[] {
  const random = seededRandom(7);
  const words = new Set(projectWords);
  const made = new Set<string>();
  while (words.size + made.size < size) made.add(makeWord(random));
  // Frequent words tend to be short (Zipf's law of abbreviation).
  const order = [...made].map((word) => ({ word, place: word.length + 4 * random() }));
  order.sort((left, right) => left.place - right.place);
  return [...words, ...order.map(({ word }) => word)];
}

function makeWord(random: Random): string {
  const syllables = 1 + Math.floor(random() * 3);
  const syllable = () => pick(random, onsets) + pick(random, vowels) + pick(random, codas);
  return Array.from({ length: syllables }, syllable).join('') + pick(random, endings);
}
