import type { Random } from '../data/random.ts';
import type { Language } from './shapes.ts';

/** A date in the formats of entries and questions. */
interface WrittenDate {
  full: string;
  iso: string;
  short: string;
  month: string;
}

const day = (language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', zh: 'zh-CN' };

/** A random date of 2026. */
export function writeDate(language: Language, random: Random): WrittenDate {
  const date = new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 365)));
  const locale = locales[language];
  return {
    full: day(locale, { day: 'numeric', month: 'long', year: 'numeric' }).format(date),
    iso: date.toISOString().slice(0, 10),
    short: day(locale, { day: 'numeric', month: 'long' }).format(date),
    month: day(locale, { month: 'long' }).format(date),
  };
}
