import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stem as english } from 'stemr';
import { stemCzech, stemPolish } from './light-stems.ts';

/**
 * Languages with Latin letters that are detected from the text. Their order decides between equal evidence.
 */
export const latinLanguages = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
  'it',
  'nl',
  'sv',
  'da',
  'no',
  'fi',
  'tr',
  'ro',
  'hu',
  'pl',
  'cs',
] as const;
export type LatinLanguage = (typeof latinLanguages)[number];

/** Languages that the script of a word decides: every Cyrillic word is stemmed as Russian, and so on. */
export type ScriptLanguage = 'ru' | 'el' | 'ar';
export type Language = LatinLanguage | ScriptLanguage;

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  ar: arabic,
  cs: stemCzech,
  da: danish,
  de: german,
  el: greek,
  // The English module of @orama/stemmers is the original Porter algorithm, whose stems of `deploying` and `deployment` differ.
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pl: stemPolish,
  pt: portuguese,
  // The stemmer knows the letters with a cedilla, which older texts have instead of those with a comma.
  ro: (word) => romanian(word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')),
  ru: russian,
  sv: swedish,
  tr: turkish,
};

/** Snowball stem of a folded word; the word itself where the stem would be empty. */
export function stemWord(language: Language, folded: string): string {
  return stemmers[language](folded) || folded;
}
