import { chooseLanguage, weighEvidence } from './language.ts';
import { isStopWord, pairsOf } from './query-segments.ts';
import { type QueryWord, queryWordOf } from './query-words.ts';
import type { LatinLanguage } from './stemmers.ts';
import { hasLanguageKey, languageKeys } from './word-keys.ts';

/** Tells two states of one fact from two facts, by their content words. */

/** Limit of a text that is compared, in characters. A longer one says several things. */
const maxCharacters = 500;

/** Least number of common words. */
const minCommon = 2;

/**
 * Common words are more than this share of those of the older text, and at least that one of those of the newer text, which can also say
 * when and why.
 */
const [ofOlder, ofNewer] = [0.5, 0.25];

// Fast path: the properties of Unicode take four times as long.
const ascii = /^[\0-\x7f]*$/;
const asciiPart = /[!-~]+/g;
const asciiWord = /[A-Za-z]+/g;
const part =
  /(?<han>\p{sc=Han}+)|(?<unspaced>[[\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}]]+)|[\S--[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv;
const anyWord = /[\p{L}\p{M}]+/gu;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}%]+$/gu;
/** A piece with a digit, or with a mark other than a hyphen inside: one value. */
const value = /\p{N}|[\p{L}\p{M}][^\p{L}\p{M}\p{Pd}]+[\p{L}\p{M}]/u;
const question = /[?？؟]\s*$/u;

/**
 * The content words of a statement by their stem, Han characters, and pairs of characters of other scripts without spaces. A value such as
 * `9:30`, `eu-west-3` or `src/http.ts` is one word; of a name such as `stand-up` each word counts. Empty for a question, and for a text that
 * is too long to compare.
 */
export function contentWords(text: string): ReadonlySet<string> {
  const content = new Set<string>();
  if (text.length > maxCharacters || question.test(text)) return content;
  const isAscii = ascii.test(text);
  const [names, words]: [QueryWord[], QueryWord[]] = [[], []];
  for (const { 0: piece, groups } of text.matchAll(isAscii ? asciiPart : part)) {
    const unit = unitsOf(piece, groups);
    for (const each of unit) content.add(each);
    if (unit.length > 0) continue;
    const found = wordsOf(piece, isAscii ? asciiWord : anyWord);
    (found.length > 1 ? names : words).push(...found);
  }
  const language = chooseLanguage(weighEvidence(words.map(({ evidence }) => evidence)));
  for (const word of [...names, ...words.filter((each) => !isStopWord(each, language))])
    content.add(stemOf(word, language));
  return content;
}

/** The units of a piece that are no words: characters, pairs or a value. */
function unitsOf(piece: string, groups: Record<string, string> | undefined): readonly string[] {
  if (groups?.['han'] !== undefined) return [...piece];
  if (groups?.['unspaced'] !== undefined) return pairsOf([...piece]);
  return value.test(piece) ? [piece.replace(edges, '').toLowerCase()] : [];
}

function wordsOf(piece: string, word: RegExp): QueryWord[] {
  return (piece.match(word) ?? []).map(queryWordOf).filter((known) => known !== null);
}

function stemOf({ folded, plain }: QueryWord, language: LatinLanguage): string {
  return hasLanguageKey(folded, language) ? (languageKeys(folded, language)[0] ?? plain) : plain;
}

/** Beginnings from which on a third of them has to be common. */
const leastBeginnings = 4;

/** Words of at least four characters, without the punctuation of ASCII. */
const longWord = /[^\s!-/:-@[-`{-~]{4,}/g;
// From Thai on, most scripts have no spaces.
const unspacedScript = /[\u0E00-\uFFFF]/;

/**
 * The beginnings of the longer words of a text: signs of its content words, in a tenth of their time. Empty for a text in a script without
 * spaces.
 */
export function wordBeginnings(text: string): ReadonlySet<string> {
  const words = unspacedScript.test(text) ? null : text.toLowerCase().match(longWord);
  return new Set(words?.map((word) => word.slice(0, 4)));
}

/** Whether an older and a newer text with these beginnings can have enough content words in common. Spares most pairs `contentWords`. */
export function canBeStatesOfFact(older: ReadonlySet<string>, newer: ReadonlySet<string>): boolean {
  // What a short statement has in common can be short words: `DB`, `TTL`.
  if (older.size < leastBeginnings || newer.size === 0) return true;
  return commonOf(older, newer) * 3 >= older.size;
}

/** What says that something has ended: `We no longer use Jest`. */
const ended =
  /\b(?:no longer(?! than)|(?:not|don['’]t|doesn['’]t|kein\p{L}*) .{0,60}\b(?:any ?more|any longer|mehr(?! als))|stopped|dropped|removed|abandoned|discontinued|retired|deprecated|switched off|turned off|nicht (?:mehr|länger)(?! als)|abgeschafft|entfernt|(?:ne|n['’]\p{L}+) .{0,40}plus|abandonnée?s?|ya no|eliminad[oa]s?|non .{0,40}più|niet meer|już nie)(?!\p{L})|больше не|不再|なくなりました|もう.{0,20}(?:ません|ない)/iu;

/** Whether a text of at most `maxCharacters` says that something has ended. */
export function saysEnded(text: string): boolean {
  return ended.test(text.slice(0, maxCharacters));
}

/**
 * Whether texts with these content words can be an older and a newer state of one fact.
 *
 * @param isEnded whether the newer one says that something has ended
 */
export function areStatesOfFact(
  older: ReadonlySet<string>,
  newer: ReadonlySet<string>,
  isEnded: boolean,
): boolean {
  const common = commonOf(older, newer);
  // What the newer one lacks is the old value. Without one, the newer only repeats the older and says more, unless it ends it.
  return (
    common >= minCommon &&
    (common < older.size || isEnded) &&
    common > ofOlder * older.size &&
    common >= ofNewer * newer.size
  );
}

function commonOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common;
}
