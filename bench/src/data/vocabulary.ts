import { pick, type Random, seededRandom } from './random.ts';

/** The words that hold English sentences together; about two in five of running text. */
export const functionWords = (
  'the of and to a in is that it for was on are with as be at by this have from or had not but what all were when we there ' +
  'can an your which their said if will each about how up out them then she many some so these would other into has more'
).split(' ');

/** Words that any project's notes are full of. They lead the list, so that they are the common ones. */
const projectWords = (
  'use service request database deploy test user error must never always default release config queue worker cache token ' +
  'schema migration index build version timeout retry endpoint limit tenant branch review secret backup restore metric ' +
  'alert owner staging production region customer invoice payment report import export format library package module'
).split(' ');

const onsets = 'b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z'.split(' ');
const vowels = 'a e i o u ai ea io ou'.split(' ');
const codas = ['', '', 'l', 'm', 'n', 'r', 'nd', 'nt', 'rk', 'ss', 'st', 'x'];
const endings = ['', '', '', 's', 'ed', 'ing', 'er', 'tion', 'ly'];

/** As many as a project of years has; with Zipf's law few of them carry most of the text. */
const size = 30_000;

/** Content words, the most frequent first: real ones, then ones that sound like English. */
export const contentWords: readonly string[] = makeWords();

function makeWords(): string[] {
  const random = seededRandom(7);
  const words = new Set(projectWords);
  const made = new Set<string>();
  while (words.size + made.size < size) made.add(makeWord(random));
  // Frequent words are short (Zipf's law of abbreviation), by and large.
  const order = [...made].map((word) => ({ word, place: word.length + 4 * random() }));
  order.sort((left, right) => left.place - right.place);
  return [...words, ...order.map(({ word }) => word)];
}

function makeWord(random: Random): string {
  const syllables = 1 + Math.floor(random() * 3);
  const syllable = () => pick(random, onsets) + pick(random, vowels) + pick(random, codas);
  return Array.from({ length: syllables }, syllable).join('') + pick(random, endings);
}
