import { LRUCache } from 'lru-cache';
import { type Compound, type CompoundParts, splitCompound } from './compounds.ts';
import { foldCase, respellUmlauts, stripDiacritics, truncateWord } from './fold.ts';
import { type Identifier, splitIdentifier } from './identifier.ts';
import { scriptOf } from './language.ts';
import { hasLanguage } from './language-mask.ts';
import { greekStems, hebrewStems, shortenTurkish, withoutArabicArticle } from './light-stems.ts';
import { type LatinLanguage, latinLanguages, stemWord } from './stemmers.ts';

/**
 * The index keys of a word. A text has few of them, because each costs storage; a query has more.
 *
 * - The plain key is the stem that depends on the word alone: without diacritics, in the language of its script, and
 *   in English for Latin letters. Texts and queries always have it, so a word finds itself whatever language was
 *   detected for either.
 * - A language key, `de:uberpruf`, is the stem in one other language. A text has that of its own language; a query has
 *   those of all plausible languages. The prefix separates a stem of one language from the stop words of another (French
 *   `notes` gives `not`).
 * - A dotted key, `package.json`, is a name of words that dots join, beside the keys of the words.
 * - A compound key, `de+:zahlung`, is the German stem of a part of a compound. It is separate from the plain key, so that
 *   the word itself ranks before the compounds that contain it.
 */

/** An analyzed word: case folded, and the parts of an identifier with their case. */
export interface AnalyzedWord {
  readonly folded: string;
  readonly parts: readonly string[];
}

// Fast path: most words need no script detection.
const plainWord = /^[a-z]+$/;
// Fast path: most words have no other spelling.
const typedUmlaut = /[aou]e/;
const letters = /^[\p{L}\p{M}]+$/u;
const nonLatin = /[\p{sc=Arab}\p{sc=Grek}\p{sc=Hebr}]/u;

/** Analyzes a word token; null for a token without letters and digits, such as `___`. */
export function analyzeWord(text: string): AnalyzedWord | null {
  const { whole, parts }: Identifier = splitIdentifier(
    truncateWord(text.startsWith('_') ? text.replace(/^_+/, '') : text),
  );
  return whole === '' ? null : { folded: foldCase(whole), parts };
}

/** The plain key of a folded word. */
export function plainKey(folded: string): string {
  if (plainWord.test(folded)) return stemWord('en', folded);
  const bare = stripDiacritics(folded);
  if (!letters.test(bare)) return bare;
  const script = scriptOf(bare);
  if (script === 'other') return bare;
  return stripDiacritics(stemWord(script === 'latin' ? 'en' : script, bare));
}

/** The key of a dotted name as a whole. Only its parts have stems. */
export function dottedKey(name: string): string {
  return plainKey(foldCase(truncateWord(name)));
}

/** The plain keys of an identifier's parts. */
export function partKeys(parts: readonly string[]): string[] {
  return parts.map((part) => plainKey(foldCase(part)));
}

/** Whether the stem of a word depends on the language of the text. The plain key is the English stem. */
export function hasLanguageKey(folded: string, language: LatinLanguage): boolean {
  return language !== 'en' && folded.length > 2 && letters.test(folded) && scriptOf(folded) === 'latin';
}

/**
 * The language keys of a folded word in a text. The stemmers of some languages leave one of two endings: the second key is without it.
 */
export function languageKeys(folded: string, language: LatinLanguage): string[] {
  const stem = stripDiacritics(stemWord(language, folded));
  const shorter = language === 'tr' ? shortenTurkish(folded) : stem;
  return shorter === stem ? [`${language}:${stem}`] : [`${language}:${stem}`, `${language}:${shorter}`];
}

/** Further keys of a folded word, in texts and queries: an Arabic word without its article, Greek and Hebrew stems. */
export function otherKeys(folded: string): string[] {
  if (plainWord.test(folded)) return [];
  if (!nonLatin.test(folded)) return [];
  return [
    ...withoutArabicArticle(folded).map(plainKey),
    ...greekStems(folded).map((stem) => `el:${stem}`),
    ...hebrewStems(folded).map((stem) => `he:${stem}`),
  ];
}

/** Keys of a word in all languages of a corpus: computing them runs up to fourteen stemmers. */
const formKeysCache = new LRUCache<string, ReadonlySet<string>>({ max: 4_096 });

/**
 * Every key under which a text can have the word or one of its forms, if the query is in one of `languages`. Query and
 * text may spell the word without its diacritics, and in German with `ue` for `ü`.
 *
 * @param corpus mask of the languages of the texts (`languagesOf`)
 * @param plain the plain key of the word, where it is known
 */
export function formKeys(
  folded: string,
  languages: readonly LatinLanguage[],
  corpus: number,
  plain: string = plainKey(folded),
): ReadonlySet<string> {
  if (languages !== latinLanguages) return makeFormKeys(folded, languages, corpus, plain);
  const cacheKey = `${corpus}\n${folded}`;
  const keys = formKeysCache.get(cacheKey) ?? makeFormKeys(folded, languages, corpus, plain);
  formKeysCache.set(cacheKey, keys);
  return keys;
}

function makeFormKeys(
  folded: string,
  languages: readonly LatinLanguage[],
  corpus: number,
  plain: string,
): ReadonlySet<string> {
  const keys = new Set([plain]);
  const respelled = languages.includes('de') || /[äöü]/u.test(folded) ? respellUmlauts(folded) : null;
  if (respelled !== null) keys.add(plainKey(respelled));
  for (const language of languages) {
    if (!hasLanguage(corpus, language) || !hasLanguageKey(folded, language)) continue;
    const spellings = [
      folded,
      stripDiacritics(folded),
      ...(respelled !== null && language === 'de' ? [respelled] : []),
    ];
    for (const spelling of spellings) for (const key of languageKeys(spelling, language)) keys.add(key);
  }
  return keys;
}

/**
 * The parts of a German compound in either spelling of its umlauts; null for any other word.
 *
 * @param language detected language of the text or query
 */
export function splitWord(folded: string, language: LatinLanguage): Compound | null {
  const allowed: CompoundParts = language === 'de' ? 'one unlisted' : 'listed';
  const compound = splitCompound(folded, allowed);
  const respelled = compound !== null || !typedUmlaut.test(folded) ? null : respellUmlauts(folded);
  return respelled === null ? compound : splitCompound(respelled, allowed);
}

/** The key of a part of a compound in a text. */
export function compoundKey(part: string): string {
  return `de+:${stemWord('de', stripDiacritics(part))}`;
}

/** Every key under which a text of the corpus can have a folded word as the part of a compound. */
export function compoundFormKeys(folded: string, corpus: number): string[] {
  if (!hasLanguage(corpus, 'de+') || !hasLanguageKey(folded, 'de')) return [];
  const respelled = respellUmlauts(folded);
  return [compoundKey(folded), ...(respelled === null ? [] : [compoundKey(respelled)])];
}
