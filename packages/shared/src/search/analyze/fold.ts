/** Folds spellings of one word into the same characters: case, diacritics, length (spec 20 S6). */

/** Words are truncated to this many characters. */
const maxWordCharacters = 64;

const ascii = /^[\0-\x7f]*$/;
const markedScript = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}]/u;
const cyrillic = /\p{sc=Cyrl}/u;
// Unicode has no decomposition for ligatures and letters with a stroke.
const undecomposed: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
};
const undecomposedLetter = /[æœøđðþħłŧı]/gu;

/** The first 64 characters of a word. */
export function truncateWord(word: string): string {
  if (word.length <= maxWordCharacters) return word;
  let cut = '';
  let count = 0;
  for (const character of word) {
    if (count === maxWordCharacters) break;
    cut += character;
    count += 1;
  }
  return cut;
}

/** Full case folding of NFKC text, truncated to 64 characters. */
export function foldCase(word: string): string {
  const lower = word.toLowerCase();
  return truncateWord(ascii.test(lower) ? lower : lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ'));
}

/**
 * Removes the diacritics of a folded word, in scripts where a mark does not make another letter: й is a letter of its
 * own, and an Indic vowel sign is a vowel.
 */
export function stripDiacritics(folded: string): string {
  if (ascii.test(folded)) return folded;
  if (cyrillic.test(folded)) return folded.replaceAll('ё', 'е').replaceAll('\u0301', '');
  if (!markedScript.test(folded)) return folded;
  const bare = folded
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFC');
  return bare.replace(undecomposedLetter, (letter) => undecomposed[letter] ?? letter) || folded;
}

/**
 * The other German spelling of a folded word: `überprüfung` gives `ueberpruefung`, `ueberpruefung` gives
 * `uberprufung` (without diacritics); null if there is no other spelling.
 */
export function respellUmlauts(folded: string): string | null {
  if (/[äöü]/u.test(folded)) {
    return folded.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
  }
  // After q or a vowel, the e belongs to the next syllable: `queue`, `neue`.
  const bare = folded.replace(/(?<![aeiouq])([aou])e/gu, '$1');
  return bare === folded ? null : bare;
}
