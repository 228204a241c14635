import { anyLanguage } from './key-languages.ts';
import { chooseLanguage, scriptOf, weighLanguages } from './language.ts';
import { scan, type Token } from './scan.ts';
import { type LatinLanguage, latinLanguages } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';
import {
  type AnalyzedWord,
  analyzeWord,
  compoundFormKeys,
  formKeys,
  partKeys,
  plainKey,
  splitWord,
} from './word-keys.ts';

/** Later distinct query terms are ignored (spec 20 S6). */
export const maxQueryTerms = 64;

// So few words say nothing: `Kunde` is a customer, and `could` in Swedish.
const veryFewWords = 2;
// While a query is as short as this and gives no evidence of its language, it is tried in all of them.
const fewWords = 8;
// Languages with less than this share of the strongest evidence are not tried.
const plausibleShare = 0.5;

/** Score of a match by a part of an identifier: the identifier itself comes first, also in a longer entry. */
export const partWeight = 0.25;

/** Score of a match by a part of an entry's compound: the word by itself comes first. */
export const compoundWeight = 0.6;

/** One query term: an entry holds it if it holds any of the keys, each a form of the word or a part of it. */
export interface QueryTerm {
  readonly keys: readonly string[];
  /** Of the key at the same position, what its score is multiplied by: 1 for a form of the word, less for a part. */
  readonly weights: readonly number[];
}

/** The language of a query decides its stop words; its words are tried in every language it may be in. */
interface Reading {
  readonly language: LatinLanguage;
  readonly plausible: readonly LatinLanguage[];
  /** Languages of what is searched. */
  readonly corpus: number;
}

/** A word, or the key of what is no word: an emoji, a pair or a single character. */
type Unit = AnalyzedWord | string;

/**
 * The distinct query terms, at most 64, in the order of the query (`analyzer.v1`, spec 20 S6 and S7). Stop words are
 * left out unless there is nothing else. Empty where the query holds no term, as `!!!`. Takes any string.
 *
 * @param corpus languages of what is searched, as `languagesOf` has them; a term has no key of another one
 */
export function analyzeQuery(query: string, corpus: number = anyLanguage): QueryTerm[] {
  const units = [...scan(query)].flatMap(toUnits);
  const reading = { ...readLanguages(units), corpus };
  const content = units.filter((unit) => !isStopWord(unit, reading.language));
  return collectTerms(content.length > 0 ? content : units, reading);
}

/** How many of `n` distinct query terms an entry must hold to be found (spec 20 S7). */
export function requiredTerms(n: number): number {
  return n <= 2 ? 1 : Math.max(2, Math.ceil(n / 4));
}

function toUnits(token: Token): Unit[] {
  if (token.kind === 'emoji') return [token.text];
  if (token.kind === 'cjk') return pairsOf(token.characters);
  const word = analyzeWord(token.text);
  return word === null ? [] : [word];
}

/** A run counts its overlapping pairs, or its one character. */
function pairsOf(characters: readonly string[]): string[] {
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return pairs.length > 0 ? pairs : [...characters];
}

function readLanguages(units: readonly Unit[]): Omit<Reading, 'corpus'> {
  const words = new Set(units.flatMap((unit) => (typeof unit === 'string' ? [] : [unit.folded])));
  const evidence = weighLanguages(words);
  const language = chooseLanguage(evidence);
  const strongest = evidence[0];
  if (strongest === undefined || words.size <= veryFewWords) {
    return { language, plausible: words.size <= fewWords ? latinLanguages : [language] };
  }
  const plausible = evidence.filter(({ score }) => score >= plausibleShare * strongest.score);
  return { language, plausible: plausible.map((each) => each.language) };
}

function isStopWord(unit: Unit, latin: LatinLanguage): boolean {
  if (typeof unit === 'string' || unit.parts.length > 0) return false;
  const script = scriptOf(unit.folded);
  return script !== 'other' && stopWordsOf(script === 'latin' ? latin : script).has(unit.folded);
}

function collectTerms(units: readonly Unit[], reading: Reading): QueryTerm[] {
  const terms = new Map<string, Map<string, number>>();
  for (const unit of units) {
    if (terms.size === maxQueryTerms) break;
    const id = typeof unit === 'string' ? unit : plainKey(unit.folded);
    const weights = terms.get(id) ?? new Map<string, number>();
    terms.set(id, weights);
    if (typeof unit === 'string') weights.set(unit, 1);
    else addWord(weights, unit, reading);
  }
  return [...terms.values()].map((weights) => ({
    keys: [...weights.keys()],
    weights: [...weights.values()],
  }));
}

function addWord(weights: Map<string, number>, { folded, parts }: AnalyzedWord, reading: Reading): void {
  const { corpus } = reading;
  const forms = parts.length > 0 ? [plainKey(folded)] : formKeys(folded, reading.plausible, corpus);
  for (const key of forms) weights.set(key, 1);
  const addLesser = (keys: Iterable<string>, weight: number): void => {
    for (const key of keys) if (!weights.has(key)) weights.set(key, weight);
  };
  addLesser(partKeys(tellingParts(parts, reading.language)), partWeight);
  if (parts.length > 0 || !reading.plausible.includes('de')) return;
  addLesser(compoundFormKeys(folded, corpus), compoundWeight);
  const boldness = reading.language === 'de' ? 'known German' : 'listed words only';
  const compound = splitWord(folded, boldness);
  // Only what it is a kind of is looked for inside of other compounds: a `Krankenwagen` is no `Krankenhaus`.
  for (const part of compound?.modifiers ?? []) addLesser(formKeys(part, ['de'], corpus), partWeight);
  for (const part of compound?.heads ?? []) {
    addLesser([...formKeys(part, ['de'], corpus), ...compoundFormKeys(part, corpus)], partWeight);
  }
}

/** The parts of an identifier that are worth a search: `getUserById` is not looked for as `by`. */
function tellingParts(parts: readonly string[], language: LatinLanguage): readonly string[] {
  const telling = parts.filter(
    (part) => part.length > 1 && !isStopWord({ folded: part.toLowerCase(), parts: [] }, language),
  );
  return telling.length > 0 ? telling : parts;
}
