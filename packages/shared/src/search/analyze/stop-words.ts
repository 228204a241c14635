import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { foldCase } from './fold.ts';
import { czech, hungarian, polish, romanian, spanish, turkish } from './function-words.ts';
import type { Language, LatinLanguage } from './stemmers.ts';

const lists: Readonly<Record<LatinLanguage | 'ru', readonly string[]>> = {
  cs: czech,
  da: danish,
  de: german,
  en: ['a', ...english],
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pl: polish,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
};

/**
 * The Snowball stop words of each language as tokens: folded, and `don't` as `don` and `t`. Greek and Arabic have no
 * such list.
 */
const sets = new Map<Language, ReadonlySet<string>>(
  Object.entries(lists).map(([language, words]) => [
    language as Language,
    new Set(words.flatMap((word) => foldCase(word).split(/[^\p{L}\p{M}]+/u)).filter((word) => word !== '')),
  ]),
);

const none: ReadonlySet<string> = new Set();

/** Stop words of a language, folded. */
export function stopWordsOf(language: Language): ReadonlySet<string> {
  return sets.get(language) ?? none;
}
