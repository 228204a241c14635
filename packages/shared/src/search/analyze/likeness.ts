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
 * Common words are at least this share of those of the older text, and at least that one of those of the newer text, which can also say
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

/** A statement, read for a comparison. */
export interface Statement {
  /** Its content words in order. */
  readonly words: readonly ContentWord[];
  readonly keys: ReadonlySet<string>;
  /** Whether it says that something has ended. */
  readonly saysEnded: boolean;
  /** Whether it begins with when it holds: `Since Monday …`. */
  readonly beginsWithTime: boolean;
}

interface ContentWord {
  /** The stem of a word, a Han character, or a pair of characters of another script without spaces. */
  readonly key: string;
  /** `change` for a word that says that a fact has changed or holds now, `filler` for another one that no fact is about. */
  readonly role: 'change' | 'filler' | null;
}

const notComparable: Statement = { words: [], keys: new Set(), saysEnded: false, beginsWithTime: false };

/**
 * Reads a statement. A value such as `9:30`, `eu-west-3` or `src/http.ts` is one word; of a name such as `stand-up` each word counts.
 * Without words for a question, and for a text that is too long to compare.
 */
export function readStatement(text: string): Statement {
  if (text.length > maxCharacters || question.test(text)) return notComparable;
  const isAscii = ascii.test(text);
  const found: (ContentWord | (QueryWord & { isName: boolean }))[] = [];
  for (const { 0: piece, groups } of text.matchAll(isAscii ? asciiPart : part)) {
    const units = unitsOf(piece, groups);
    for (const key of units) found.push({ key, role: roleOf(key) });
    if (units.length > 0) continue;
    const words = wordsOf(piece, isAscii ? asciiWord : anyWord);
    for (const word of words) found.push({ ...word, isName: words.length > 1 });
  }
  const evidence = found.flatMap((each) => ('evidence' in each && !each.isName ? [each.evidence] : []));
  const language = chooseLanguage(weighEvidence(evidence));
  const words = found.flatMap((each): ContentWord[] => {
    if (!('evidence' in each)) return [each];
    if (!each.isName && isStopWord(each, language)) return [];
    return [{ key: stemOf(each, language), role: roleOf(each.folded) }];
  });
  return {
    words,
    keys: new Set(words.map(({ key }) => key)),
    saysEnded: ended.test(text),
    beginsWithTime: timeStart.test(text),
  };
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

const changeWord =
  /^(?:chang(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|switch(?:ed|es)?|updat(?:e|es|ed)|migrat(?:e|es|ed)|increas(?:e|es|ed)|rais(?:e|es|ed)|reduc(?:e|es|ed)|lower(?:ed|s)?|renam(?:e|es|ed)|replac(?:e|es|ed)|bec(?:ame|ome|omes)|extend(?:ed|s)?|shorten(?:ed|s)?|postponed|rescheduled|shifted|dropped|removed|retired|stopped|abandoned|discontinued|deprecated|now|currently|nowadays|instead|longer|anymore|geändert|verschoben|umgestellt|gewechselt|umgezogen|erhöht|gesenkt|ersetzt|verlegt|abgeschafft|entfernt|jetzt|nun|künftig|chang[ée]\p{L}*|passe|passé\p{L}*|déplac\p{L}+|remplac\p{L}+|maintenant|désormais|cambi\p{L}+|pas[óa]|movid[oa]|reemplaz\p{L}+|ahora|[改换換移变變更现現今已])$/u;
const fillerWord =
  /^(?:\p{L}+n['’]t|new|newly|from|since|until|again|still|finally|officially|more|any|no|not|never|next|week|neu\p{L}{0,2}|ab|seit|mehr|nicht|kein\p{L}{0,2}|plus|ya|[在了为為成从從起将將不再后後会會由的是])$/u;
const timeStart =
  /^(?:since|from|as of|starting|effective|until|ab|seit|von|à partir|depuis|dès|desde|a partir)(?!\p{L})|^(?:从|從|自)/iu;

function roleOf(word: string): ContentWord['role'] {
  if (changeWord.test(word)) return 'change';
  return fillerWord.test(word) ? 'filler' : null;
}

/** Whether an older and a newer statement can be two states of one fact. */
export function areStatesOfFact(older: Statement, newer: Statement): boolean {
  const common = commonOf(older.keys, newer.keys);
  // What the newer one lacks is the old value. Without one, the newer only repeats the older and says more, unless it ends it.
  return (
    common >= minCommon &&
    (common < older.keys.size || newer.saysEnded) &&
    common >= ofOlder * older.keys.size &&
    common >= ofNewer * newer.keys.size &&
    haveOneSubject(older, newer)
  );
}

/** Limit of comparisons of words of two statements. */
const maxCells = 40_000;

/** Limit of words that say who changed something: `Lena Meyer moved the …`. */
const maxChangers = 3;

/** Words between two that the statements have in common. */
interface Gap {
  older: number;
  /** How many of the older ones are values, such as `9:30`. */
  olderValues: number;
  newer: number;
  /** Whether the newer statement says here that something has changed. */
  hasChange: boolean;
}

/**
 * Whether two statements differ in what they say and not in what they speak of: `The deputy manager is Tom` is no state of `The manager is
 * Anna`. Compares them word by word. Behind the last common word anything can differ, and between others a word can replace another one.
 * One that is added or left out changes the subject, unless it says when or that something changed.
 */
function haveOneSubject(older: Statement, newer: Statement): boolean {
  if (older.words.length * newer.words.length > maxCells) return false;
  const gaps = gapsBetween(older, newer);
  const [first, ...others] = gaps;
  if (first === undefined || others.length === 0) return false;
  if (isReplaced(first) && others.some(isReplaced)) return false;
  const saysMore = (others.at(-1)?.newer ?? 0) > 0;
  const isValueMoved = (gap: Gap) => gap.newer === 0 && gap.olderValues === gap.older && saysMore;
  return (
    (isUniform(first) || isChanger(first, newer) || isValueMoved(first)) &&
    others.slice(0, -1).every((gap) => isUniform(gap) || isValueMoved(gap))
  );
}

/** Whether a word replaces another one. */
const isReplaced = ({ older, newer }: Gap): boolean => older > 0 && newer > 0;
/** Whether no word is only added, or left out without a word of change in its place. */
const isUniform = ({ older, newer, hasChange }: Gap): boolean =>
  older > 0 ? newer > 0 || hasChange : newer === 0;
/** Whether words are added that say who changed something, or since when. */
const isChanger = (first: Gap, { beginsWithTime }: Statement): boolean =>
  first.older === 0 && first.newer <= maxChangers && (first.hasChange || beginsWithTime);

/**
 * The gaps before, between and behind the words of the longest common subsequence. Words of a role do not count, nor do those that the other
 * statement has elsewhere.
 */
function gapsBetween(older: Statement, newer: Statement): Gap[] {
  const counts = (word: ContentWord, other: Statement) => word.role === null && !other.keys.has(word.key);
  let [left, right] = [0, 0];
  const ends = [...commonPlaces(older.words, newer.words), [older.words.length, newer.words.length] as const];
  return ends.map(([leftEnd, rightEnd]) => {
    const [one, two] = [older.words.slice(left, leftEnd), newer.words.slice(right, rightEnd)];
    [left, right] = [leftEnd + 1, rightEnd + 1];
    const lost = one.filter((word) => counts(word, newer));
    return {
      older: lost.length,
      olderValues: lost.filter(({ key }) => /\p{N}/u.test(key)).length,
      newer: two.filter((word) => counts(word, older)).length,
      hasChange: two.some(({ role }) => role === 'change'),
    };
  });
}

/** The places in both of the words of the longest common subsequence. */
function commonPlaces(
  older: readonly ContentWord[],
  newer: readonly ContentWord[],
): (readonly [number, number])[] {
  const width = newer.length + 1;
  const lengths = commonLengths(older, newer);
  const places: (readonly [number, number])[] = [];
  let [left, right] = [0, 0];
  while (left < older.length && right < newer.length) {
    if (older[left]?.key === newer[right]?.key) places.push([left++, right++]);
    else if (at(lengths, (left + 1) * width + right) >= at(lengths, left * width + right + 1)) left += 1;
    else right += 1;
  }
  return places;
}

/** Length of the longest common subsequence of the rests from each pair of words on, by rows of the older statement. */
function commonLengths(older: readonly ContentWord[], newer: readonly ContentWord[]): Uint16Array {
  const width = newer.length + 1;
  const lengths = new Uint16Array((older.length + 1) * width);
  for (let left = older.length - 1; left >= 0; left -= 1)
    for (let right = newer.length - 1; right >= 0; right -= 1)
      lengths[left * width + right] =
        older[left]?.key === newer[right]?.key
          ? at(lengths, (left + 1) * width + right + 1) + 1
          : Math.max(at(lengths, (left + 1) * width + right), at(lengths, left * width + right + 1));
  return lengths;
}

const at = (lengths: Uint16Array, index: number): number => lengths[index] ?? 0;

function commonOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common;
}
