import type { LatinLanguage } from './stemmers.ts';

/** Prefix of an index key that only texts of one language have: `de:uberpruf`, `de+:zahlung`. */
type KeyPrefix = Exclude<LatinLanguage, 'en'> | 'de+' | 'el' | 'he';

/** Stored in the database: a prefix keeps its bit for good. */
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
  pl: 14,
  cs: 15,
  el: 16,
  he: 17,
};

const masks = new Map(Object.entries(bits).map(([prefix, bit]) => [prefix, 1 << bit]));

/** Mask used while the languages of a corpus are unknown. */
export const anyLanguage = -1;

/**
 * The language of an index key as a bit mask; 0 for a key that texts of any language can have. A corpus stores the mask
 * of all keys that were ever in it, so that a search looks words up in those languages only.
 */
export function languageOf(key: string): number {
  const colon = key.indexOf(':');
  return colon === 2 || colon === 3 ? (masks.get(key.slice(0, colon)) ?? 0) : 0;
}

/** Whether a corpus of these languages can have the keys of one language. */
export function hasLanguage(languages: number, language: KeyPrefix | 'en'): boolean {
  return language === 'en' || (languages & (1 << bits[language])) !== 0;
}

/** The mask of all keys together. */
export function languagesOf(keys: Iterable<string>): number {
  let languages = 0;
  for (const key of keys) languages |= languageOf(key);
  return languages;
}
