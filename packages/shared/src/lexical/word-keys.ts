import { LRUCache } from 'lru-cache';
import { type Boldness, type Compound, splitCompound } from './compounds.ts';
import { cutWord, foldCase, respellUmlauts, stripDiacritics } from './fold.ts';
import { type Identifier, splitIdentifier } from './identifier.ts';
import { mayHave } from './key-languages.ts';
import { scriptOf } from './language.ts';
import { type LatinLanguage, latinLanguages, stemWord } from './stemmers.ts';

/**
 * The index keys of a word. An entry keeps few of them, because each costs storage; the query tries more.
 *
 * - The plain key is the stem that depends on the word alone: without diacritics, in the language of its script, and
 *   in English for Latin letters. Entries and queries always have it, so a word finds itself whatever language was
 *   detected for either.
 * - A language key, `de:uberpruf`, is the stem in one other language. An entry has that of its own language; a query
 *   has those of the languages it may be in. The prefix keeps a stem of one language from meeting the stop words of
 *   another (French `notes` gives `not`).
 * - A compound key, `de+:zahlung`, is the German stem of a part of a compound. It is a key of its own, so that the word
 *   itself comes before the compounds that it is in, and none of those entries is without it that have the word itself.
 */

/** A word as it is analyzed: case folded, with the parts of an identifier in their own case. */
export interface AnalyzedWord {
  readonly folded: string;
  readonly parts: readonly string[];
}

// Spares most words the look at their script.
const plainWord = /^[a-z]+$/;
// Spares most words the other spelling.
const typedUmlaut = /[aou]e/;
const letters = /^[\p{L}\p{M}]+$/u;

/** Takes a word token apart; null where nothing is left of it, as of `___`. */
export function analyzeWord(text: string): AnalyzedWord | null {
  const { whole, parts }: Identifier = splitIdentifier(
    cutWord(text.startsWith('_') ? text.replace(/^_+/, '') : text),
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

/** The plain keys of an identifier's parts. */
export function partKeys(parts: readonly string[]): string[] {
  return parts.map((part) => plainKey(foldCase(part)));
}

/** True for words whose stem depends on the language of the text; the English stem is in the plain key already. */
export function hasLanguageKey(folded: string, language: LatinLanguage): boolean {
  return language !== 'en' && folded.length > 2 && letters.test(folded) && scriptOf(folded) === 'latin';
}

/** The language key of a folded word in an entry. */
export function languageKey(folded: string, language: LatinLanguage): string {
  return `${language}:${stripDiacritics(stemWord(language, folded))}`;
}

/** By languages of a corpus and word, its keys in them: up to fourteen stemmers, for what is likely to be asked for again. */
const keysInAll = new LRUCache<string, ReadonlySet<string>>({ max: 4_096 });

/**
 * Every key under which an entry may hold the word or one of its forms, if the query is in one of `languages`. The
 * word may be typed without its diacritics, and in German with `ue` for `ü`, in the query as in the entry.
 *
 * @param corpus languages of the entries, as `languagesOf` has them
 */
export function formKeys(
  folded: string,
  languages: readonly LatinLanguage[],
  corpus: number,
): ReadonlySet<string> {
  if (languages !== latinLanguages) return makeFormKeys(folded, languages, corpus);
  const place = `${corpus}\n${folded}`;
  const keys = keysInAll.get(place) ?? makeFormKeys(folded, languages, corpus);
  keysInAll.set(place, keys);
  return keys;
}

function makeFormKeys(
  folded: string,
  languages: readonly LatinLanguage[],
  corpus: number,
): ReadonlySet<string> {
  const keys = new Set([plainKey(folded)]);
  const respelled = languages.includes('de') || /[äöü]/u.test(folded) ? respellUmlauts(folded) : null;
  if (respelled !== null) keys.add(plainKey(respelled));
  for (const language of languages) {
    if (!mayHave(corpus, language) || !hasLanguageKey(folded, language)) continue;
    keys.add(languageKey(folded, language)).add(languageKey(stripDiacritics(folded), language));
    if (respelled !== null && language === 'de') keys.add(languageKey(respelled, language));
  }
  return keys;
}

/** What a German compound is made of, however its umlauts are typed; null of another word. */
export function splitWord(folded: string, boldness: Boldness): Compound | null {
  const compound = splitCompound(folded, boldness);
  const respelled = compound !== null || !typedUmlaut.test(folded) ? null : respellUmlauts(folded);
  return respelled === null ? compound : splitCompound(respelled, boldness);
}

/** The key under which an entry holds a word as the part of a compound. */
export function compoundKey(part: string): string {
  return `de+:${stemWord('de', stripDiacritics(part))}`;
}

/** Every key under which an entry of a corpus may hold a folded word as the part of a compound. */
export function compoundFormKeys(folded: string, corpus: number): string[] {
  if (!mayHave(corpus, 'de+') || !hasLanguageKey(folded, 'de')) return [];
  const respelled = respellUmlauts(folded);
  return [compoundKey(folded), ...(respelled === null ? [] : [compoundKey(respelled)])];
}
