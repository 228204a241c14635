import { contentPieces } from './cjk-function-words.ts';
import { chooseLanguage, type Evidence, scriptOf, weighEvidence } from './language.ts';
import { type SpelledTokens, spell } from './query-spellings.ts';
import { type QueryWord, queryWordOf } from './query-words.ts';
import { type LatinLanguage, latinLanguages } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';
import { type Token, tokenize } from './tokenize.ts';
import { type AnalyzedWord, dottedKey } from './word-keys.ts';

/** Parses the segments of a query into words and pairs of characters, before the words are stemmed. */

/** Limit of characters of all tokens. Later tokens are ignored, because NFKC expands one U+FDFA to 18 characters. */
const maxQueryCharacters = 8_192;

/** Length of the beginning of a segment that is tokenized first, in characters. */
const beginningCharacters = 1_024;

/** An emoji counts as this number of characters, because finding one takes as long. */
const emojiCharacters = 16;

/** Limit of segments: this many at the beginning, and as many at the end (spec 25 Q1). */
export const maxSegmentsOfEnd = 32;

/** Limit of distinct terms of a segment (spec 25 Q2). */
const maxSegmentTerms = 64;

/** A text without a sentence end is cut into pieces of this many terms. Half of a piece is also in the next one. */
const pieceTerms = 32;

// Up to this number of words, the language is uncertain: `Kunde` is a customer in German, and `could` in Swedish.
const veryFewWords = 2;
// Up to this number of words, a query whose language is uncertain is analyzed in all languages.
const fewWords = 8;
// The query is not analyzed in languages with less than this share of the strongest evidence.
const plausibleShare = 0.5;

/** The languages in which the words of a segment are analyzed. */
export interface SegmentLanguages {
  /** The detected language. It decides the stop words. */
  readonly language: LatinLanguage;
  /** The languages in which words are stemmed. */
  readonly plausible: readonly LatinLanguage[];
}

/** A word, or the key of an emoji, a dotted name, a pair of characters or a single character. */
export type Unit = QueryWord | string;

/** A segment before its words are stemmed. */
export interface ParsedSegment {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly languages: SegmentLanguages;
}

/** What the segments of one query share while they are parsed. */
interface Parsing {
  /** Characters that may still be tokenized. */
  characters: number;
  readonly withoutStopWords: boolean;
  /** The words by their text: segments repeat them. */
  readonly words: Map<string, QueryWord | null>;
}

/** Parses the segments of a query that count (spec 25 Q1, Q2). Leaves stop words out, unless there is nothing else. */
export function parseSegments(texts: readonly string[]): ParsedSegment[] {
  const parsed = parseEnds(texts, true);
  return (parsed.length > 0 ? parsed : parseEnds(texts, false)).flatMap(cutLongSegment);
}

/** Parses the first 32 and the last 32 segments that have a unit. */
function parseEnds(texts: readonly string[], withoutStopWords: boolean): ParsedSegment[] {
  const parsing: Parsing = { characters: maxQueryCharacters, withoutStopWords, words: new Map() };
  const first: ParsedSegment[] = [];
  const last: ParsedSegment[] = [];
  let [begin, end] = [0, texts.length];
  const parseNext = (ofEnd: ParsedSegment[], at: number): void => {
    const segment = parseSegment(texts[at] ?? '', parsing);
    if (segment !== null) ofEnd.push(segment);
  };
  // Alternates between the ends, so that the characters are spent on both.
  while (
    begin < end &&
    parsing.characters > 0 &&
    (first.length < maxSegmentsOfEnd || last.length < maxSegmentsOfEnd)
  ) {
    if (first.length < maxSegmentsOfEnd) parseNext(first, begin++);
    if (begin < end && last.length < maxSegmentsOfEnd) parseNext(last, --end);
  }
  return [...first, ...last.reverse()];
}

function parseSegment(text: string, parsing: Parsing): ParsedSegment | null {
  const spelled = spell(text, distinctTokens(text, parsing));
  const units: Unit[] = [];
  for (const token of spelled.tokens) addUnits(units, token, spelled, parsing);
  const languages = detectLanguages(units);
  const content = parsing.withoutStopWords
    ? units.filter((unit) => !isStopWord(unit, languages.language) || isKept(unit, spelled))
    : units;
  return content.length === 0 ? null : { text, units: distinctUnits(content), languages };
}

function isKept(unit: Unit, { kept }: SpelledTokens): boolean {
  return typeof unit !== 'string' && (unit.weaker.length > 0 || kept.has(unit.folded));
}

/**
 * The distinct tokens of a segment, up to the characters that may be tokenized, which it reduces. Tokenizes the beginning first: if normalization
 * makes it so much longer that it reaches the limit, the rest is not normalized, which would take milliseconds.
 */
function distinctTokens(text: string, parsing: Parsing): Token[] {
  const beginning = tokensOf(text.slice(0, beginningCharacters), parsing.characters);
  const { tokens, characters } =
    beginning.characters >= parsing.characters || text.length <= beginningCharacters
      ? beginning
      : tokensOf(text, parsing.characters);
  parsing.characters -= characters;
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
    // A word has no space. Most tokens are words, and joining strings takes as long as the rest of the loop.
    const id = bounded.kind === 'word' ? tokenText : `${bounded.kind} ${tokenText}`;
    if (!tokens.has(id)) tokens.set(id, bounded);
    if (characters >= maxCharacters) break;
  }
  return { tokens: [...tokens.values()], characters };
}

function addUnits(
  units: Unit[],
  token: Token,
  { spellings, weaker }: SpelledTokens,
  { withoutStopWords, words }: Parsing,
): void {
  if (token.kind === 'emoji') units.push(token.text);
  if (token.kind === 'dotted') units.push(dottedUnit(token.text, spellings.get(token.text)));
  if (token.kind === 'cjk') {
    const pieces = withoutStopWords ? contentPieces(token.characters) : [token.characters];
    units.push(...new Set(pieces.flatMap(pairsOf)));
  }
  if (token.kind !== 'word') return;
  let word = words.get(token.text);
  if (word === undefined) {
    word = queryWordOf(token.text);
    words.set(token.text, word);
  }
  const [joined, weak] = [spellings.get(token.text), weaker.get(token.text)];
  if (word !== null && joined === undefined && weak === undefined) units.push(word);
  else if (word !== null) units.push({ ...word, joined: joined ?? [], weaker: weak ?? [] });
}

/** A dotted name as a whole, with other spellings of it. */
function dottedUnit(name: string, others: readonly string[] | undefined): Unit {
  const plain = dottedKey(name);
  return others === undefined
    ? plain
    : { folded: plain, parts: [], plain, joined: others, weaker: [], evidence: [] };
}

/** The overlapping pairs of a run, or its single character. */
export function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function detectLanguages(units: readonly Unit[]): SegmentLanguages {
  const words = new Set<string>();
  const known = new Map<string, Evidence>();
  for (const unit of units) {
    if (typeof unit === 'string') continue;
    if (words.size <= fewWords) words.add(unit.folded);
    if (unit.evidence.length > 0) known.set(unit.folded, unit.evidence);
  }
  const evidence = weighEvidence(known.values());
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

export function isStopWord(unit: AnalyzedWord | string, latin: LatinLanguage): boolean {
  if (typeof unit === 'string' || unit.parts.length > 0) return false;
  const script = scriptOf(unit.folded);
  return script !== 'other' && stopWordsOf(script === 'latin' ? latin : script).has(unit.folded);
}

/** Identifies the term of a unit within its segment: `deploy` and `deployed` are one. */
function idOf(unit: Unit): string {
  return typeof unit === 'string' ? unit : unit.plain;
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
  return typeof unit !== 'string' && unit.parts.length + unit.joined.length + unit.weaker.length > 0;
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
