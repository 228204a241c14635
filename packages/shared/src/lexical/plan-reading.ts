import { maxDepth, maxListed, maxNewest, maxRare, slack } from './reading-limits.ts';

/** An index term of a query, and how many texts hold it. */
export interface CountedKey {
  key: number;
  holders: number;
}

/** What a reading is planned for. */
export interface Reading {
  /** The keys of each query term: at most `maxPaired` terms, of which a text must hold two. */
  terms: readonly (readonly CountedKey[])[];
  /** Texts of the corpus. */
  total: number;
  /** Texts that the search wants. */
  limit: number;
  /** Whether pairs may be spared. */
  spares: boolean;
}

/** Reads the texts that hold one of the keys in `one` and one of those in `other`. */
export interface Lookup {
  one: readonly number[];
  other: readonly number[];
}

/** Of the texts that hold a pair, the newest `most` of about the newest `depth` of the corpus. */
export interface DeepLookup extends Lookup {
  depth: number;
  most: number;
}

export interface ReadingPlan {
  /** Each pair that is read: its words by their keys, and how deep it is looked for. */
  pairs: (Lookup & { depth: number | null })[];
  /** Those of which all texts are read, together where they can be. */
  whole: Lookup[];
  deep: DeepLookup[];
  /** Whether pairs were spared: where the others find too little, it takes a plan without. */
  hasSpared: boolean;
}

/** By how much more the pairs weigh that make another one spare. A pair weighs the logarithm of how few texts should hold it. */
const heavier = 1;

/** Keys of one term that are alike, rare ones or common ones. */
interface Word {
  keys: number[];
  holders: number;
  /** Of the term, the rarest first. */
  place: number;
}

interface Pair {
  one: Word;
  other: Word;
  /** That should hold both. */
  texts: number;
  isDeep: boolean;
}

/**
 * Which texts of a large corpus a search reads to score them: those that hold a pair of its words, which are few even where both
 * are common. That is every admitted text, so that a common word hides none, with two exceptions, by which a search never grows
 * with the corpus: of pairs that very many hold (deep ones) the newest stand for all, and pairs with the commonest term are
 * spared while heavier ones should have as many texts as are wanted: whatever holds three terms is found without them.
 */
export function planReading({ terms, total, limit, spares }: Reading): ReadingPlan {
  const pairs = pairsOf(wordsOf(terms), total);
  const needed = spares ? neededOf(pairs, limit) : pairs;
  const whole = needed.filter(({ isDeep }) => !isDeep);
  const deepest = needed.filter(({ isDeep }) => isDeep);
  const share = maxNewest / deepest.length;
  const deep = deepest.map(({ one, other, texts }) => ({
    one: one.keys,
    other: other.keys,
    depth: depthOf((share * slack * total) / texts),
    most: Math.ceil(share),
  }));
  return {
    pairs: [...whole.map(({ one, other }) => ({ one: one.keys, other: other.keys, depth: null })), ...deep],
    whole: joined(whole),
    deep,
    hasSpared: needed.length < pairs.length,
  };
}

/** Keys that no text holds are left out. */
function wordsOf(terms: Reading['terms']): Word[] {
  const held = terms.map((keys) => keys.filter(({ holders }) => holders > 0));
  const sorted = held.map((keys) => ({ keys, holders: sumOf(keys) }));
  sorted.sort((left, right) => left.holders - right.holders);
  return sorted.flatMap(({ keys }, place) =>
    [keys.filter(({ holders }) => holders <= maxRare), keys.filter(({ holders }) => holders > maxRare)]
      .filter((alike) => alike.length > 0)
      .map((alike) => ({ keys: alike.map(({ key }) => key), holders: sumOf(alike), place })),
  );
}

const sumOf = (keys: readonly CountedKey[]): number => keys.reduce((sum, { holders }) => sum + holders, 0);

/** Each two words of different terms. */
function pairsOf(words: Word[], total: number): Pair[] {
  return words.flatMap((one) =>
    words
      .filter(({ place }) => one.place < place)
      .map((other) => {
        const texts = (one.holders * other.holders) / total;
        const isDeep = texts > maxRare || Math.min(one.holders, other.holders) > maxListed;
        return { one, other, texts, isDeep };
      }),
  );
}

/** All but the pairs with the commonest term of which heavier ones should have enough texts: they would come first. */
function neededOf(pairs: Pair[], enough: number): Pair[] {
  const commonest = Math.max(...pairs.map(({ other }) => other.place));
  return pairs.filter(({ other, texts }) => {
    if (other.place < commonest) return true;
    const before = pairs.filter((pair) => pair.texts <= texts / Math.exp(heavier));
    return before.reduce((sum, pair) => sum + pair.texts, 0) < enough;
  });
}

/** One for each word: with all that it is paired with. */
function joined(pairs: Pair[]): Lookup[] {
  const ones = new Map<Word, number[]>();
  for (const { one, other } of pairs) ones.set(other, [...(ones.get(other) ?? []), ...one.keys]);
  return [...ones].map(([{ keys }, one]) => ({ one, other: keys }));
}

/** In steps of a fifth: the same plan holds while a corpus grows by little. */
function depthOf(texts: number): number {
  return Math.min(maxDepth, Math.ceil(2 ** (Math.ceil(4 * Math.log2(texts)) / 4)));
}

/**
 * What is read: the same for two plans that read the same, in whatever order.
 *
 * @param isHeld whether any text holds a key: the others find nothing
 */
export function readBy({ pairs }: ReadingPlan, isHeld: (key: number) => boolean): string {
  const names = new Map<readonly number[], string>();
  const nameOf = (word: readonly number[]): string => {
    const name = names.get(word) ?? word.filter(isHeld).sort(ascending).join(' ');
    names.set(word, name);
    return name;
  };
  const read = pairs.flatMap(({ one, other, depth }) => {
    const words = [nameOf(one), nameOf(other)];
    return words.includes('') ? [] : [`${words.sort().join('+')}:${depth ?? 'all'}`];
  });
  return read.sort().join();
}

const ascending = (left: number, right: number): number => left - right;
