import { chooseLanguage, scriptOf, weighLanguages } from './language.ts';
import { anyLanguage } from './language-mask.ts';
import { type LatinLanguage, latinLanguages } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';
import { type Token, tokenize } from './tokenize.ts';
import {
  type AnalyzedWord,
  analyzeWord,
  compoundFormKeys,
  formKeys,
  partKeys,
  plainKey,
  splitWord,
} from './word-keys.ts';

/** Limit of characters of all tokens. Later tokens are ignored, because NFKC expands one U+FDFA to 18 characters. */
const maxQueryCharacters = 8_192;

/** Length of the beginning of a query that is tokenized first, in characters. */
const beginningCharacters = 1_024;

/** An emoji counts as this number of characters, because finding one takes as long. */
const emojiCharacters = 16;

/** Limit of distinct query terms. Later ones are ignored (spec 20 S6). */
const maxQueryTerms = 64;

// Up to this number of words, the language is uncertain: `Kunde` is a customer in German, and `could` in Swedish.
const veryFewWords = 2;
// Up to this number of words, a query whose language is uncertain is analyzed in all languages.
const fewWords = 8;
// The query is not analyzed in languages with less than this share of the strongest evidence.
const plausibleShare = 0.5;

/** Weight of a match by a part of an identifier: the whole identifier ranks first, also in a longer text. */
const partWeight = 0.25;

/** Weight of a match by a part of a compound in the text: the word by itself ranks first. */
const compoundWeight = 0.6;

/** One query term: a text holds it if it holds any of the keys, which are forms or parts of the word. */
export interface QueryTerm {
  readonly keys: readonly string[];
  /** Factor for the score of the key at the same position: 1 for a form of the word, less for a part. */
  readonly weights: readonly number[];
}

/** The languages in which the words of a query are analyzed. */
interface QueryLanguages {
  /** The detected language. It decides the stop words. */
  readonly language: LatinLanguage;
  /** The languages in which words are stemmed. */
  readonly plausible: readonly LatinLanguage[];
  /** Mask of the languages of the corpus. */
  readonly corpus: number;
}

/** A word, or the key of an emoji, a pair of characters or a single character. */
type Unit = AnalyzedWord | string;

/**
 * The distinct query terms, at most 64, in the order of the query (`analyzer.v1`, spec 20 S6 and S7). Stop words are
 * left out unless there is nothing else. Empty if the query holds no term, such as `!!!`. Takes any string.
 *
 * @param corpus mask of the languages of the corpus (`languagesOf`): terms have no keys of other languages
 */
export function analyzeQuery(query: string, corpus: number = anyLanguage): QueryTerm[] {
  const units = distinctTokens(query).flatMap(toUnits);
  const languages = { ...detectLanguages(units), corpus };
  const content = units.filter((unit) => !isStopWord(unit, languages.language));
  return collectTerms(content.length > 0 ? content : units, languages);
}

/** How many of `n` distinct query terms a text must hold to be admitted (spec 20 S7). */
export function requiredTerms(n: number): number {
  return n <= 2 ? 1 : Math.max(2, Math.ceil(n / 4));
}

/**
 * The distinct tokens of the query, up to the limit of characters. Tokenizes the beginning first: if normalization makes it so much
 * longer that it reaches the limit, the rest is not normalized, which would take milliseconds.
 */
function distinctTokens(query: string): Token[] {
  const { tokens, isFull } = tokensOf(query.slice(0, beginningCharacters));
  return isFull || query.length <= beginningCharacters ? tokens : tokensOf(query).tokens;
}

function tokensOf(query: string): { tokens: Token[]; isFull: boolean } {
  const tokens = new Map<string, Token>();
  let characters = 0;
  for (const token of tokenize(query)) {
    const rest = maxQueryCharacters - characters;
    const bounded = token.kind === 'cjk' ? { ...token, characters: token.characters.slice(0, rest) } : token;
    const text = bounded.kind === 'cjk' ? bounded.characters.join('') : bounded.text;
    characters += bounded.kind === 'emoji' ? emojiCharacters : text.length;
    if (!tokens.has(text)) tokens.set(text, bounded);
    if (characters >= maxQueryCharacters) break;
  }
  return { tokens: [...tokens.values()], isFull: characters >= maxQueryCharacters };
}

function toUnits(token: Token): Unit[] {
  if (token.kind === 'emoji') return [token.text];
  if (token.kind === 'cjk') return pairsOf(token.characters);
  const word = analyzeWord(token.text);
  return word === null ? [] : [word];
}

/** The overlapping pairs of a run, each once, or its single character. */
function pairsOf(characters: readonly string[]): string[] {
  const pairs = new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
  return pairs.size > 0 ? [...pairs] : [...characters];
}

function detectLanguages(units: readonly Unit[]): Omit<QueryLanguages, 'corpus'> {
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

function collectTerms(units: readonly Unit[], languages: QueryLanguages): QueryTerm[] {
  const terms = new Map<string, Map<string, number>>();
  for (const unit of units) {
    if (terms.size === maxQueryTerms) break;
    const id = typeof unit === 'string' ? unit : plainKey(unit.folded);
    const weights = terms.get(id) ?? new Map<string, number>();
    terms.set(id, weights);
    if (typeof unit === 'string') weights.set(unit, 1);
    else addWord(weights, unit, languages);
  }
  return [...terms.values()].map((weights) => ({
    keys: [...weights.keys()],
    weights: [...weights.values()],
  }));
}

function addWord(
  weights: Map<string, number>,
  { folded, parts }: AnalyzedWord,
  languages: QueryLanguages,
): void {
  const { language, plausible, corpus } = languages;
  const forms = parts.length > 0 ? [plainKey(folded)] : formKeys(folded, plausible, corpus);
  for (const key of forms) weights.set(key, 1);
  const addWithWeight = (keys: Iterable<string>, weight: number): void => {
    for (const key of keys) if (!weights.has(key)) weights.set(key, weight);
  };
  addWithWeight(partKeys(significantParts(parts, language)), partWeight);
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
