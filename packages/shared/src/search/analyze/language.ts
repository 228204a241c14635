import { type LatinLanguage, latinLanguages, type ScriptLanguage } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';

/**
 * Detects the language of a text from its function words and letters. This is cheap, deterministic, and reliable for the
 * few words of a query, where n-gram statistics are not. The default is English. A wrong language only loses matches of
 * other word forms, because every word is also indexed independently of the language.
 */

// The weakest evidence that counts: one function word that three languages share, or one letter like ü.
const minEvidence = 0.3;

// English words and common tokens of software that are function words in other languages: `ai`, `com`, `todo`, `mit`.
const falseFriends = new Set(
  `ad ai al also alt ami ante as aura aux ben bin bare care com come con dan del den dig dis door dos dove el em
   en end era eras es et fare fi fut ham han hat hay hem hun ill inn ins io ja lo ma mai main man mas men met mi
   mine mint mit mot na nada ned net op os par para pas per plus pour sa sale same se sea sean ses set si sig sin sit
   solo son soy state sub sue te tem ten ter ti to todo ton tu tue un ut vi vid var via vor want war will`.match(
    /\S+/g,
  ) ?? [],
);
// English function words and instruction verbs that the stop list lacks.
const moreEnglish =
  `also always another can every everyone get just let made make many may much must need needs never new now one
   please since still two use used uses using want wants well yes yet`.match(/\S+/g) ?? [];

const languagesOfLetters: Readonly<Record<string, readonly LatinLanguage[]>> = {
  ä: ['de', 'sv', 'fi'],
  ö: ['de', 'sv', 'fi', 'tr', 'hu'],
  ą: ['pl'],
  ę: ['pl'],
  ć: ['pl'],
  ł: ['pl'],
  ń: ['pl'],
  ś: ['pl'],
  ź: ['pl'],
  ż: ['pl'],
  ě: ['cs'],
  ř: ['cs'],
  ů: ['cs'],
  č: ['cs'],
  š: ['cs'],
  ž: ['cs'],
  ď: ['cs'],
  ť: ['cs'],
  ň: ['cs'],
  ý: ['cs'],
  á: ['es', 'pt', 'hu', 'cs'],
  é: ['fr', 'es', 'pt', 'hu', 'cs'],
  ü: ['de', 'tr', 'hu'],
  å: ['sv', 'da', 'no'],
  æ: ['da', 'no'],
  ø: ['da', 'no'],
  ñ: ['es'],
  ã: ['pt'],
  õ: ['pt'],
  ç: ['fr', 'pt', 'tr'],
  è: ['fr', 'it'],
  à: ['fr', 'it', 'pt'],
  ù: ['fr', 'it'],
  ì: ['it'],
  ò: ['it'],
  ê: ['fr', 'pt'],
  û: ['fr'],
  î: ['fr', 'ro'],
  œ: ['fr'],
  ó: ['es', 'pt', 'hu', 'pl'],
  í: ['es', 'pt', 'hu', 'cs'],
  ő: ['hu'],
  ű: ['hu'],
  ı: ['tr'],
  ğ: ['tr'],
  ş: ['tr', 'ro'],
  ș: ['ro'],
  ț: ['ro'],
  ă: ['ro'],
};

// Endings that only German nouns have, at the end of a word or before the next part of a compound. The first expression is quick.
const germanEnding = /ung|[hk]eit|schaft/;
const germanNoun = /^.{3,}(?:ung|heit|keit|schaft)(?:en|s.{3,})?$/;

const ascii = /^[\0-\x7f]*$/;
/** Places of languages in `latinLanguages`. */
const placesOf = (languages: readonly LatinLanguage[]): number[] =>
  languages.map((language) => latinLanguages.indexOf(language));
const german = placesOf(['de']);
const letters = new Map(
  Object.entries(languagesOfLetters).map(([letter, languages]) => [letter, placesOf(languages)]),
);
const functionWords = gatherFunctionWords();

/** Evidence of one word: for each of its features, the places of the languages that share it. */
export type Evidence = readonly (readonly number[])[];

const noEvidence: Evidence = [];

/** The evidence of a folded word. */
export function evidenceOf(word: string): Evidence {
  const features: (readonly number[] | undefined)[] = [];
  const own = functionWords.get(word);
  if (own !== undefined) features.push(own);
  if (germanEnding.test(word) && germanNoun.test(word)) features.push(german);
  if (!ascii.test(word)) for (const letter of new Set(word)) features.push(letters.get(letter));
  return features.length === 0 ? noEvidence : features.filter((places) => places !== undefined);
}

/** A language and the evidence for it; 1 stands for one function word that no other language has. */
interface WeighedLanguage {
  readonly language: LatinLanguage;
  readonly score: number;
}

/** Languages with evidence in folded words, strongest first. */
export function weighLanguages(words: readonly string[]): WeighedLanguage[] {
  return weighEvidence(words.map(evidenceOf));
}

/** Languages with evidence in words, strongest first. */
export function weighEvidence(words: Iterable<Evidence>): WeighedLanguage[] {
  const scores = new Float64Array(latinLanguages.length);
  for (const features of words)
    for (const places of features)
      for (const place of places) scores[place] = (scores[place] ?? 0) + 1 / places.length;
  const weighed: WeighedLanguage[] = [];
  for (const [place, language] of latinLanguages.entries()) {
    const score = scores[place] ?? 0;
    if (score > 0) weighed.push({ language, score });
  }
  return weighed.sort((a, b) => b.score - a.score);
}

/** The language with the strongest evidence; English where it is weak, or equal for English. */
export function chooseLanguage(weighed: readonly WeighedLanguage[]): LatinLanguage {
  const best = weighed[0];
  if (best === undefined || best.score < minEvidence) return 'en';
  const english = weighed.find(({ language }) => language === 'en');
  return english !== undefined && english.score >= best.score ? 'en' : best.language;
}

const scripts: readonly [RegExp, ScriptLanguage][] = [
  [/^\p{sc=Cyrl}/u, 'ru'],
  [/^\p{sc=Grek}/u, 'el'],
  [/^\p{sc=Arab}/u, 'ar'],
];
const latinLetter = /^\p{sc=Latn}/u;

/** The script of a word by its first letter: a language that has its own script, Latin, or another script. */
export function scriptOf(word: string): ScriptLanguage | 'latin' | 'other' {
  if (latinLetter.test(word)) return 'latin';
  return scripts.find(([pattern]) => pattern.test(word))?.[1] ?? 'other';
}

function gatherFunctionWords(): Map<string, number[]> {
  const words = new Map<string, LatinLanguage[]>();
  for (const language of latinLanguages) {
    const own = language === 'en' ? [...stopWordsOf('en'), ...moreEnglish] : stopWordsOf(language);
    for (const word of new Set(own)) {
      // A single letter is no evidence: it can be a variable, an option or an abbreviation.
      if (word.length < 2 || (language !== 'en' && falseFriends.has(word))) continue;
      words.set(word, [...(words.get(word) ?? []), language]);
    }
  }
  return new Map([...words].map(([word, languages]) => [word, placesOf(languages)]));
}
