import { contentPieces } from './cjk-function-words.ts';
import { foldCase } from './fold.ts';
import { hashBeginningOfQuery } from './hash-ids.ts';
import { chooseLanguage, scriptOf, weighLanguages } from './language.ts';
import { anyLanguage, languageOf } from './language-mask.ts';
import {
  compoundWeight,
  partWeight,
  type QueryAnalysis,
  type QuerySegment,
  type QueryTerm,
  stemWeight,
} from './query-terms.ts';
import { splitSegments } from './segments.ts';
import { type LatinLanguage, latinLanguages } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';
import { stripTerminalControls } from './terminal-controls.ts';
import { type Token, tokenize } from './tokenize.ts';
import {
  type AnalyzedWord,
  analyzeWord,
  compoundFormKeys,
  formKeys,
  otherKeys,
  partKeys,
  plainKey,
  splitWord,
} from './word-keys.ts';

/** Limit of characters of all tokens. Later tokens are ignored, because NFKC expands one U+FDFA to 18 characters. */
const maxQueryCharacters = 8_192;

/** Length of the beginning of a segment that is tokenized first, in characters. */
const beginningCharacters = 1_024;

/** An emoji counts as this number of characters, because finding one takes as long. */
const emojiCharacters = 16;

/** Limit of segments: this many at the beginning, and as many at the end (spec 25 Q1). */
const maxSegmentsOfEnd = 32;

/** Limit of distinct terms of a segment (spec 25 Q2). */
const maxSegmentTerms = 64;

/** Limit of distinct terms of a query (spec 25 Q2). */
const maxQueryTerms = 512;

/** A text without a sentence end is cut into pieces of this many terms. Half of a piece is also in the next one. */
const pieceTerms = 32;

// Up to this number of words, the language is uncertain: `Kunde` is a customer in German, and `could` in Swedish.
const veryFewWords = 2;
// Up to this number of words, a query whose language is uncertain is analyzed in all languages.
const fewWords = 8;
// The query is not analyzed in languages with less than this share of the strongest evidence.
const plausibleShare = 0.5;

/** Limit of hyphenated words of which a query searches for each part. */
const maxJoined = 4;

/** The languages in which the words of a segment are analyzed. */
interface SegmentLanguages {
  /** The detected language. It decides the stop words. */
  readonly language: LatinLanguage;
  /** The languages in which words are stemmed. */
  readonly plausible: readonly LatinLanguage[];
}

/** A word of a query. */
interface QueryWord extends AnalyzedWord {
  /** The hyphenated words that it is a part of, folded and without hyphens. */
  readonly joined: readonly string[];
}

/** A word, or the key of an emoji, a pair of characters or a single character. */
type Unit = QueryWord | string;

/** A segment before its words are stemmed. */
interface ParsedSegment {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly languages: SegmentLanguages;
}

/**
 * Analyzes a query (`analyzer.v2`, spec 20 S6, spec 25 §1). Leaves stop words out, unless the query holds nothing else. No segment
 * remains of a query without a term, such as `!!!`. Takes any string. The number and order of terms and segments are the same
 * for all languages of a corpus.
 *
 * @param corpus mask of the languages of the corpus (`languagesOf`): terms have no keys of other languages
 */
export function analyzeQuery(query: string, corpus: number = anyLanguage): QueryAnalysis {
  const texts = splitSegments(stripTerminalControls(query));
  const parsed = parseEnds(texts, true);
  const pieces = (parsed.length > 0 ? parsed : parseEnds(texts, false)).flatMap(cutLongSegment);
  return collectTerms(pieces, corpus);
}

/** Parses the first 32 and the last 32 segments that have a unit. */
function parseEnds(texts: readonly string[], withoutStopWords: boolean): ParsedSegment[] {
  const budget = { characters: maxQueryCharacters };
  const first: ParsedSegment[] = [];
  const last: ParsedSegment[] = [];
  let [begin, end] = [0, texts.length];
  const parseNext = (ofEnd: ParsedSegment[], at: number): void => {
    const segment = parseSegment(texts[at] ?? '', budget, withoutStopWords);
    if (segment !== null) ofEnd.push(segment);
  };
  // Alternates between the ends, so that the budget is spent on both.
  while (
    begin < end &&
    budget.characters > 0 &&
    (first.length < maxSegmentsOfEnd || last.length < maxSegmentsOfEnd)
  ) {
    if (first.length < maxSegmentsOfEnd) parseNext(first, begin++);
    if (begin < end && last.length < maxSegmentsOfEnd) parseNext(last, --end);
  }
  return [...first, ...last.reverse()];
}

function parseSegment(
  text: string,
  budget: { characters: number },
  withoutStopWords: boolean,
): ParsedSegment | null {
  const tokens = distinctTokens(text, budget);
  const joined = joinedWords(tokens);
  const units = tokens.flatMap((token) => toUnits(token, joined, withoutStopWords));
  const languages = detectLanguages(units);
  const content = withoutStopWords ? units.filter((unit) => !isStopWord(unit, languages.language)) : units;
  return content.length === 0 ? null : { text, units: distinctUnits(content), languages };
}

/**
 * The distinct tokens of a segment, up to the rest of the budget, which it reduces. Tokenizes the beginning first: if normalization
 * makes it so much longer that it reaches the limit, the rest is not normalized, which would take milliseconds.
 */
function distinctTokens(text: string, budget: { characters: number }): Token[] {
  const beginning = tokensOf(text.slice(0, beginningCharacters), budget.characters);
  const { tokens, characters } =
    beginning.characters >= budget.characters || text.length <= beginningCharacters
      ? beginning
      : tokensOf(text, budget.characters);
  budget.characters -= characters;
  return tokens;
}

function tokensOf(text: string, maxCharacters: number): { tokens: Token[]; characters: number } {
  const tokens = new Map<string, Token>();
  let characters = 0;
  for (const token of tokenize(text)) {
    const rest = maxCharacters - characters;
    const bounded = token.kind === 'cjk' ? { ...token, characters: token.characters.slice(0, rest) } : token;
    const tokenText = textOf(bounded);
    characters += bounded.kind === 'emoji' ? emojiCharacters : tokenText.length;
    const id = `${bounded.kind} ${tokenText}`;
    if (!tokens.has(id)) tokens.set(id, bounded);
    if (characters >= maxCharacters) break;
  }
  return { tokens: [...tokens.values()], characters };
}

/** The hyphenated words that each part is in. */
function joinedWords(tokens: readonly Token[]): Map<string, string[]> {
  const joined = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'hyphenated') continue;
    const whole = foldCase(token.parts.join(''));
    for (const part of token.parts)
      joined.set(part, [...(joined.get(part) ?? []), whole].slice(0, maxJoined));
  }
  return joined;
}

function toUnits(token: Token, joined: ReadonlyMap<string, string[]>, withoutStopWords: boolean): Unit[] {
  if (token.kind === 'hyphenated') return [];
  if (token.kind === 'emoji') return [token.text];
  if (token.kind === 'cjk') {
    return (withoutStopWords ? contentPieces(token.characters) : [token.characters]).flatMap(pairsOf);
  }
  const word = analyzeWord(token.text);
  return word === null ? [] : [{ ...word, joined: joined.get(token.text) ?? [] }];
}

/** The overlapping pairs of a run, or its single character. */
function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function detectLanguages(units: readonly Unit[]): SegmentLanguages {
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

function textOf(token: Token): string {
  if (token.kind === 'hyphenated') return token.parts.join('-');
  return token.kind === 'cjk' ? token.characters.join('') : token.text;
}

function isStopWord(unit: AnalyzedWord | string, latin: LatinLanguage): boolean {
  if (typeof unit === 'string' || unit.parts.length > 0) return false;
  const script = scriptOf(unit.folded);
  return script !== 'other' && stopWordsOf(script === 'latin' ? latin : script).has(unit.folded);
}

const asciiWord = /^[a-z]+$/;

/** Identifies the term of a unit within its segment: `deploy` and `deployed` are one. */
function idOf(unit: Unit): string {
  return typeof unit === 'string' ? unit : plainKey(unit.folded);
}

/**
 * Leaves units out whose term is there already, unless they have other parts. A part counts for the first identifier that has it: a
 * text with `user` alone does not hold both `user1` and `user2`.
 */
function distinctUnits(units: readonly Unit[]): Unit[] {
  const distinct = new Map<string, Unit>();
  for (const unit of units) {
    const id = idOf(unit);
    const known = distinct.get(id);
    if (known === undefined || (hasParts(unit) && !hasParts(known))) distinct.set(id, unit);
  }
  const parts = new Set<string>();
  return [...distinct.values()].map((unit) => {
    if (typeof unit === 'string' || unit.parts.length === 0) return unit;
    const own = unit.parts.filter((part) => !parts.has(part.toLowerCase()));
    for (const part of own) parts.add(part.toLowerCase());
    return { ...unit, parts: own };
  });
}

function hasParts(unit: Unit): boolean {
  return typeof unit !== 'string' && unit.parts.length + unit.joined.length > 0;
}

/**
 * Cuts a segment of more terms than count into overlapping pieces, each a segment of its own: a question after a long text without
 * a sentence end is in one of them.
 */
function cutLongSegment(segment: ParsedSegment): ParsedSegment[] {
  const { units } = segment;
  if (units.length <= maxSegmentTerms) return [segment];
  const pieces: ParsedSegment[] = [];
  for (let start = 0; start === 0 || start + pieceTerms / 2 < units.length; start += pieceTerms / 2) {
    pieces.push({ ...segment, units: units.slice(start, start + pieceTerms) });
  }
  return pieces;
}

/** Collects the terms of the segments from both ends inwards, until there are 512. */
function collectTerms(parsed: readonly ParsedSegment[], corpus: number): QueryAnalysis {
  const places = new Map<string, number>();
  const terms: QueryTerm[] = [];
  const segments: (QuerySegment | undefined)[] = parsed.map(() => undefined);
  for (const at of fromBothEnds(boundedEnds(parsed.length))) {
    const segment = parsed[at];
    if (segment === undefined) continue;
    const { text, units, languages } = segment;
    const numbers: number[] = [];
    for (const unit of units) {
      const key = termKey(unit, languages);
      let place = places.get(key);
      if (place === undefined) {
        if (terms.length === maxQueryTerms) continue;
        place = terms.length;
        places.set(key, place);
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

/** Units of several segments are one term if their keys are equal: the languages decide them. */
function termKey(unit: Unit, { language, plausible }: SegmentLanguages): string {
  if (typeof unit === 'string') return unit;
  const isEnglish = plausible.length === 1 && language === 'en' && plausible[0] === 'en';
  if (isEnglish && unit.parts.length + unit.joined.length === 0 && asciiWord.test(unit.folded))
    return `en ${plainKey(unit.folded)}`;
  return `${unit.folded}\n${unit.parts.join(' ')}\n${unit.joined.join(' ')}\n${language}\n${plausible.join(' ')}`;
}

function termOf(unit: Unit, languages: SegmentLanguages, corpus: number): QueryTerm {
  if (typeof unit === 'string') return { keys: [unit], weights: [1] };
  const weights = new Map<string, number>();
  addWord(weights, unit, { ...languages, corpus });
  return { keys: [...weights.keys()], weights: [...weights.values()] };
}

function addWord(
  weights: Map<string, number>,
  { folded, parts, joined }: QueryWord,
  languages: SegmentLanguages & { readonly corpus: number },
): void {
  const { language, plausible, corpus } = languages;
  const forms = parts.length > 0 ? [plainKey(folded)] : formKeys(folded, plausible, corpus);
  for (const key of forms) weights.set(key, 1);
  for (const whole of joined) for (const key of formKeys(whole, plausible, corpus)) weights.set(key, 1);
  const addWithWeight = (keys: Iterable<string>, weight: number): void => {
    for (const key of keys) if (!weights.has(key)) weights.set(key, weight);
  };
  addWithWeight(partKeys(significantParts(parts, language)), partWeight);
  const hash = hashBeginningOfQuery(folded);
  if (hash !== null) addWithWeight([`#${hash}`], stemWeight);
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
