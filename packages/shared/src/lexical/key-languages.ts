import type { LatinLanguage } from './stemmers.ts';

/** What stands before the colon of a key that only texts of one language have: `de:uberpruf`, `de+:zahlung`. */
type KeyPrefix = Exclude<LatinLanguage, 'en'> | 'de+';

/** Kept in the database: a prefix has its bit for good. */
const bits: Readonly<Record<KeyPrefix, number>> = {
  de: 0,
  es: 1,
  fr: 2,
  pt: 3,
  it: 4,
  nl: 5,
  sv: 6,
  da: 7,
  no: 8,
  fi: 9,
  tr: 10,
  ro: 11,
  hu: 12,
  'de+': 13,
};

const masks = new Map(Object.entries(bits).map(([prefix, bit]) => [prefix, 1 << bit]));

/** What a corpus may have of which it is not known. */
export const anyLanguage = -1;

/**
 * The language of a key as a bit mask; 0 for a key that texts of any language may have. A corpus keeps those of all keys that
 * were ever in it, so that a query, which has its words in a dozen languages, is looked for in those that are there.
 */
export function languageOf(key: string): number {
  const colon = key.indexOf(':');
  return colon === 2 || colon === 3 ? (masks.get(key.slice(0, colon)) ?? 0) : 0;
}

/** Whether a corpus of these languages may have the keys of one. */
export function mayHave(languages: number, language: KeyPrefix | 'en'): boolean {
  return language === 'en' || (languages & (1 << bits[language])) !== 0;
}

/** Those of all keys together. */
export function languagesOf(keys: Iterable<string>): number {
  let languages = 0;
  for (const key of keys) languages |= languageOf(key);
  return languages;
}
