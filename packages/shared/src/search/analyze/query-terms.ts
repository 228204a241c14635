import { hashKeysOfQuery } from './hash-ids.ts';
import { languageOf } from './language-mask.ts';
import {
  isStopWord,
  maxSegmentsOfEnd,
  type ParsedSegment,
  type SegmentLanguages,
  type Unit,
} from './query-segments.ts';
import type { QueryWord } from './query-words.ts';
import type { LatinLanguage } from './stemmers.ts';
import { compoundFormKeys, formKeys, otherKeys, partKeys, plainKey, splitWord } from './word-keys.ts';

/** One query term: a text holds it if it holds any of the keys, which are forms or parts of the word. */
export interface QueryTerm {
  /** The word, folded. */
  readonly text: string;
  readonly keys: readonly string[];
  /** Factor for the score of the key at the same position: 1 for a form of the word, less for a part. */
  readonly weights: readonly number[];
}

/** A query as its segments (spec 25 §1). */
export interface QueryAnalysis {
  /** The distinct terms of all segments, at most 512. */
  readonly terms: readonly QueryTerm[];
  /** In the order of the query, at most 64, none of them empty. */
  readonly segments: readonly QuerySegment[];
}

/** A line or sentence of a query. */
export interface QuerySegment {
  readonly text: string;
  /** Positions of its terms in `terms`, each once, at most 64. */
  readonly terms: readonly number[];
}

/** Weight of a match by a part of an identifier: the whole identifier ranks first, also in a longer text. */
export const partWeight = 0.25;

/** Weight of a match by a part of a compound in the text: the word by itself ranks first. */
export const compoundWeight = 0.6;

/** Weight of a match by a stem that is cut short, or by the beginning of a hash. */
export const stemWeight = 0.8;

/** Limit of distinct terms of a query (spec 25 Q2). */
const maxQueryTerms = 512;

const asciiWord = /^[a-z]+$/;

/** Collects the terms of the segments from both ends inwards, until there are 512. */
export function collectTerms(parsed: readonly ParsedSegment[], corpus: number): QueryAnalysis {
  const places: TermPlaces = { english: new Map(), others: new Map() };
  const terms: QueryTerm[] = [];
  const segments: (QuerySegment | undefined)[] = parsed.map(() => undefined);
  for (const at of fromBothEnds(boundedEnds(parsed.length))) {
    const segment = parsed[at];
    if (segment === undefined) continue;
    const { text, units, languages } = segment;
    const numbers: number[] = [];
    for (const unit of units) {
      const [known, key] = slotOf(places, unit, languages);
      let place = known.get(key);
      if (place === undefined) {
        if (terms.length === maxQueryTerms) continue;
        place = terms.length;
        known.set(key, place);
        terms.push(termOf(unit, languages, corpus));
      }
      numbers.push(place);
    }
    if (numbers.length > 0) segments[at] = { text, terms: numbers };
  }
  return { terms, segments: segments.filter((segment) => segment !== undefined) };
}

/** The places of the first 32 and the last 32 of `count`. */
function boundedEnds(count: number): number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  return places.filter((place) => place < maxSegmentsOfEnd || place >= count - maxSegmentsOfEnd);
}

/** The first, the last, the second, the last but one, and so on. */
function* fromBothEnds(places: readonly number[]): Generator<number> {
  for (let [begin, end] = [0, places.length - 1]; begin <= end; begin += 1, end -= 1) {
    yield places[begin] ?? 0;
    if (begin < end) yield places[end] ?? 0;
  }
}

/** The places of terms. Units of several segments are one term if map and key are equal. */
interface TermPlaces {
  /** By the plain key, of words of which `isPlainEnglish`: most words need no key of their own. */
  readonly english: Map<string, number>;
  /** By `termKey`. */
  readonly others: Map<string, number>;
}

function slotOf(
  { english, others }: TermPlaces,
  unit: Unit,
  languages: SegmentLanguages,
): [Map<string, number>, string] {
  if (typeof unit !== 'string' && isPlainEnglish(unit, languages)) return [english, unit.plain];
  return [others, termKey(unit, languages)];
}

/** The languages decide the keys of a term. */
function termKey(unit: Unit, languages: SegmentLanguages): string {
  if (typeof unit === 'string') return unit;
  const { language, plausible } = languages;
  return `${unit.folded}\n${unit.parts.join(' ')}\n${unit.joined.join(' ')}\n${unit.weaker.join(' ')}\n${language}\n${plausible.join(' ')}`;
}

/** Whether the plain key is the only one of a word, unless it can be the beginning of a hash. */
function isPlainEnglish(
  { folded, parts, joined, weaker }: QueryWord,
  { language, plausible }: SegmentLanguages,
): boolean {
  const isEnglish = plausible.length === 1 && language === 'en' && plausible[0] === 'en';
  return isEnglish && parts.length + joined.length + weaker.length === 0 && asciiWord.test(folded);
}

function termOf(unit: Unit, languages: SegmentLanguages, corpus: number): QueryTerm {
  if (typeof unit === 'string') return { text: unit, keys: [unit], weights: [1] };
  if (isPlainEnglish(unit, languages) && hashKeysOfQuery(unit.folded).length === 0)
    return { text: unit.folded, keys: [unit.plain], weights: [1] };
  const weights = new Map<string, number>();
  addWord(weights, unit, { ...languages, corpus });
  return { text: unit.folded, keys: [...weights.keys()], weights: [...weights.values()] };
}

function addWord(
  weights: Map<string, number>,
  { folded, plain, parts, joined, weaker }: QueryWord,
  languages: SegmentLanguages & { readonly corpus: number },
): void {
  const { language, plausible, corpus } = languages;
  const forms = parts.length > 0 ? [plain] : formKeys(folded, plausible, corpus, plain);
  for (const key of forms) weights.set(key, 1);
  for (const whole of joined) for (const key of formKeys(whole, plausible, corpus)) weights.set(key, 1);
  const addWithWeight = (keys: Iterable<string>, weight: number): void => {
    for (const key of keys) if (!weights.has(key)) weights.set(key, weight);
  };
  addWithWeight(partKeys(significantParts(parts, language)), partWeight);
  addWithWeight(weaker.map(plainKey), partWeight);
  addWithWeight(hashKeysOfQuery(folded), stemWeight);
  addWithWeight(
    otherKeys(folded).filter((key) => (languageOf(key) & ~corpus) === 0),
    stemWeight,
  );
  if (parts.length > 0 || !plausible.includes('de')) return;
  addWithWeight(compoundFormKeys(folded, corpus), compoundWeight);
  const compound = splitWord(folded, language);
  // Only the head is searched inside other compounds: a `Krankenwagen` is not a kind of `Krankenhaus`.
  for (const part of compound?.modifiers ?? []) addWithWeight(formKeys(part, ['de'], corpus), partWeight);
  for (const part of compound?.heads ?? []) {
    addWithWeight([...formKeys(part, ['de'], corpus), ...compoundFormKeys(part, corpus)], partWeight);
  }
}

/** The parts of an identifier without stop words and single letters: `getUserById` does not search for `by`. */
function significantParts(parts: readonly string[], language: LatinLanguage): readonly string[] {
  const significant = parts.filter(
    (part) => part.length > 1 && !isStopWord({ folded: part.toLowerCase(), parts: [] }, language),
  );
  return significant.length > 0 ? significant : parts;
}
