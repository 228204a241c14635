import { stripDiacritics } from './fold.ts';

/**
 * Stems by endings for languages without a well-kept stemmer, and where a stemmer leaves out common forms (spec 25 Q7). They only cut
 * what most nouns inflect with; wrong cuts are harmless where text and query agree.
 */

/** Least length of a stem. */
const minStem = 3;

/** Endings of Polish nouns and adjectives without diacritics. */
const polish =
  /(?:owaniach|owaniami|aniami|eniami|iach|iami|ami|ach|owie|owi|ego|emu|ymi|imi|ych|ich|iej|iem|ie|ia|ii|iu|io|om|ow|em|ym|im|ej|a|e|i|o|u|y)$/;

/** Endings of Czech and Slovak nouns and adjectives without diacritics. */
const czech =
  /(?:atech|atum|ami|emi|imi|ymi|ich|ych|ech|ach|eho|emu|ovi|ove|um|em|im|ym|om|ou|ov|a|e|i|o|u|y)$/;

/** A noun can have an ending that looks like two: `systemy`, `system`. */
function cut(word: string, ending: RegExp, times: number): string {
  let stem = word;
  for (let time = 0; time < times; time += 1) {
    const shorter = stem.replace(ending, '');
    if (shorter.length < minStem) break;
    stem = shorter;
  }
  return stem;
}

/** The stem of a folded Polish word. */
export function stemPolish(folded: string): string {
  return cut(stripDiacritics(folded), polish, 2);
}

/** The stem of a folded Czech word. */
export function stemCzech(folded: string): string {
  return cut(stripDiacritics(folded), czech, 2);
}

/** Endings of Turkish nouns: relative, case, possessive, plural; without diacritics. */
const turkish = [
  /ki$/,
  /(?:n?[dt][ae]n?|n?in|n?un|y?[ae]|y?[iu]|yl[ae])$/,
  /(?:[iu]m[iu]z|[iu]n[iu]z|l[ae]r[iu]n?|s[iu]n?|[iu]m|[iu]n)$/,
  /l[ae]r$/,
  /[aeiou]$/,
];

/** A short stem of a folded Turkish word: `faturalarımız`, `faturası` and `fatura` have the same. */
export function shortenTurkish(folded: string): string {
  return turkish.reduce((stem, ending) => {
    const shorter = stem.replace(ending, '');
    return shorter.length >= minStem ? shorter : stem;
  }, stripDiacritics(folded));
}

const arabicArticle = /^(?:[\u0648\u0641]?(?:[\u0628\u0643]?\u0627\u0644|\u0644\u0644))(?=\p{L}{3})/u;
const arabicAnd = /^\u0648(?=\p{L}{4})/u;

/** An Arabic word without its article, and the conjunctions and prepositions that are written with it; empty for other words. */
export function withoutArabicArticle(folded: string): string[] {
  const bare = folded.replace(arabicArticle, '');
  if (bare !== folded) return [bare];
  const alone = folded.replace(arabicAnd, '');
  return alone === folded ? [] : [alone];
}

const greek = /^\p{sc=Grek}{4}/u;
const greekEnding = /(?:ιουσ|εων|εισ|εωσ|ουσ|ιεσ|ιων|ιασ|ιου|εσ|οσ|ασ|ησ|ων|ου|οι|ια|ιο|ο|α|η|ι|ε|ω)$/;

/** The stem of a Greek noun; empty for other words. */
export function greekStems(folded: string): string[] {
  if (!greek.test(folded)) return [];
  return [cut(stripDiacritics(folded), greekEnding, 1).replace(/ι$/, '')];
}

const hebrew = /^\p{sc=Hebr}{2}/u;
/** Conjunction, article, prepositions and relative pronoun, which are written with the next word. */
const hebrewPrefix = /^[והבלמשכ]/;
const hebrewEnding = /(?:יות|אות|יימ|ימ|ות|ית|יה|ה|ת|י)$/;
const hebrewFinals: Readonly<Record<string, string>> = {
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
};

/** The stems of a Hebrew word with and without up to two prefixed letters; empty for other words. */
export function hebrewStems(folded: string): string[] {
  if (!hebrew.test(folded)) return [];
  const plain = stripDiacritics(folded).replace(/[ךםןףץ]/gu, (letter) => hebrewFinals[letter] ?? letter);
  const words = [plain];
  for (let word = plain; words.length < 3 && hebrewPrefix.test(word) && word.length > minStem; ) {
    word = word.slice(1);
    words.push(word);
  }
  return [...new Set(words.map((word) => cut(word, hebrewEnding, 1)))];
}
