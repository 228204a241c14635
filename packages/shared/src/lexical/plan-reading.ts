import { maxDepth, maxListed, maxNewest, maxPaired, maxRare, slack } from './reading-limits.ts';

/** An index term of a query, and how many texts hold it. */
export interface CountedKey {
  key: number;
  holders: number;
}

/** What a reading is planned for. */
export interface Reading {
  /** The keys of each query term: at most `maxPaired` terms, of which a text must hold two or more. */
  terms: readonly (readonly CountedKey[])[];
  /** Texts of the corpus. */
  total: number;
  /** How many of the terms a text must hold. */
  required: number;
  /** Texts that the search wants. */
  limit: number;
  /** Whether pairs may be spared. */
  spares: boolean;
}

/** Reads the texts that hold one of the keys in `one` and one of those in `other`. */
export interface Lookup {
  one: number[];
  other: number[];
  /** Looked for in so many texts, the newest; null for all. */
  depth: number | null;
}

export interface ReadingPlan {
  lookups: Lookup[];
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
 * Which texts of a large corpus a search reads to score them. A text that must hold r of p terms holds two of any p - r + 2: so
 * the rarest are read in pairs, which hardly any text holds. That is every admitted text, so that a common word hides none, with
 * two exceptions, by which a search never grows with the corpus: of pairs that very many hold (deep ones) the newest stand for
 * all, and pairs with the commonest term are spared while heavier ones should have as many texts as are wanted, so that whatever
 * holds three terms is found without them.
 */
export function planReading({ terms, total, required, limit, spares }: Reading): ReadingPlan {
  const pairs = pairsOf(wordsOf(terms), total, Math.min(terms.length - required + 2, maxPaired));
  const needed = spares ? neededOf(pairs, limit) : pairs;
  const deep = needed.filter(({ isDeep }) => isDeep);
  const most = maxNewest / deep.length;
  const lookups = [
    ...lookupsOf(needed.filter(({ isDeep }) => !isDeep)),
    ...deep.map(({ one, other, texts }) => ({
      one: one.keys,
      other: other.keys,
      depth: depthOf((most * slack * total) / texts),
    })),
  ];
  return { lookups, hasSpared: needed.length < pairs.length };
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

/** Each two words of the first `places` terms. */
function pairsOf(words: Word[], total: number, places: number): Pair[] {
  const read = words.filter(({ place }) => place < places);
  return read.flatMap((one) =>
    read
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
function lookupsOf(pairs: Pair[]): Lookup[] {
  const ones = new Map<Word, number[]>();
  for (const { one, other } of pairs) ones.set(other, [...(ones.get(other) ?? []), ...one.keys]);
  return [...ones].map(([{ keys }, one]) => ({ one, other: keys, depth: null }));
}

/** In steps of a fifth: the same plan holds while a corpus grows by little. */
function depthOf(texts: number): number {
  return Math.min(maxDepth, Math.round(2 ** (Math.ceil(4 * Math.log2(texts)) / 4)));
}

/** The pairs of keys that are looked up: the same for two plans that read the same. @param isHeld whether any text holds a key */
export function pairsRead({ lookups }: ReadingPlan, isHeld: (key: number) => boolean): string {
  const pairs = lookups.flatMap(({ one, other, depth }) =>
    one
      .filter(isHeld)
      .flatMap((left) =>
        other
          .filter(isHeld)
          .map((right) => `${Math.min(left, right)} ${Math.max(left, right)} ${depth ?? ''}`),
      ),
  );
  return pairs.sort().join();
}
