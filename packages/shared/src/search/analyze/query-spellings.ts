import { foldCase } from './fold.ts';
import type { Token } from './tokenize.ts';

/**
 * Other spellings of the words of a query (spec 25 Q7): numbers, dates and names that people write in several ways. The index has each
 * text as it was written, so the query looks for all of them.
 */

/** Limit of other spellings of a hyphenated word of which a query searches for each part. */
const maxJoined = 4;

/** Limit of other spellings of a word: `000` is a part of each number of a column. */
const maxSpellings = 12;

/** Limit of characters of a segment in which numbers and dates are searched. */
const maxCharacters = 1_024;

// Fast paths: most words have no other spelling, and the expressions of Unicode take long.
const hasDigit = /[0-9]/;
const mayBeGrouped = /\d[,.'\u00a0\u202f ]\d{3}/;
const mayBeDate = /\d[-/.] ?\d/;
const mayHaveNames = /(?:js|io|\d)$/i;
const grouped = /(?<![\p{L}\p{N}.,:/-])\d{1,3}(?:[,.'\u00a0\u202f ]\d{3})+(?![\p{L}\p{N}/-]|[.,:]\d)/gu;
/** Four to twelve digits, not a year. */
const plainNumber = /^(?!(?:19|20)\d\d$)[1-9]\d{3,11}$/;
const groupStart = /(?=(?:\d{3})+$)/;
const thousands = /^(\d{1,4})[kK]$/;
/** A lower number with three zeros is more often a port or a year than an amount. */
const leastSplit = 10_000;

const namesOfMonths = [
  'january januar janvier enero jan',
  'february februar février febrero feb',
  'march märz mars marzo mar',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august août agosto aug',
  'september septembre septiembre sep sept',
  'october oktober octobre octubre oct okt',
  'november novembre noviembre nov',
  'december dezember décembre diciembre dec dez',
].map((names) => names.split(' '));
/** Names that are other words too: a date in digits does not look for them. */
const ambiguous = new Set(['may', 'march', 'mars', 'mar']);
const monthOf = new Map(
  namesOfMonths.flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
);
const name = `(?<month>${[...monthOf.keys()].sort((one, other) => other.length - one.length).join('|')})`;
/** As people write them, so that no token has to be folded. */
const writtenMonths = new Set(
  [...monthOf.keys()].flatMap((each) => [
    each,
    each.charAt(0).toUpperCase() + each.slice(1),
    each.toUpperCase(),
  ]),
);
const year = '(?<year>(?:19|20)\\d\\d)';
const day = '(?<day>\\d{1,2}(?:st|nd|rd|th|er|º)?)';
const [before, after] = ['(?<![\\p{L}\\p{N}.,:/-])', '(?![\\p{L}\\p{M}\\p{N}:]|[.,/-]\\d)'];

/** A day with its month in digits. What a time follows is the stamp of a log line. */
const digitDates = [
  new RegExp(`${before}${year}[-/](?<month>\\d\\d)[-/](?<day>\\d\\d)${after}(?! \\d\\d:)`, 'gu'),
  new RegExp(`${before}(?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\. ?${year}${after}(?! \\d\\d:)`, 'gu'),
];
const namedDates = [
  new RegExp(`${before}${day}\\.?(?: of| de)? ${name}${after}(?! \\d\\d:)`, 'giu'),
  new RegExp(`${before}${name}\\.? (?:the )?${day}${after}(?! \\d\\d:)`, 'giu'),
  new RegExp(`${before}${name}\\.?,? (?:de )?${year}${after}`, 'giu'),
];

/** The tokens of a segment as a query looks for them. */
export interface SpelledTokens {
  readonly tokens: readonly Token[];
  /** Other spellings of the words of the tokens, by their text. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Words that a date or a number is written with, but that often mean something else, by the text of its token: `11` for November. */
  readonly weaker: ReadonlyMap<string, readonly string[]>;
  /** Words that count although they are stop words: `on` of `on-call`. */
  readonly kept: ReadonlySet<string>;
}

export function spell(text: string, given: readonly Token[]): SpelledTokens {
  const spellings = new Map<string, string[]>();
  const weaker = new Map<string, string[]>();
  const kept = new Set<string>();
  const addTo =
    (found: Map<string, string[]>): Add =>
    (word, others) => {
      const known = found.get(word) ?? [];
      const added = others.filter((other) => other !== word && !known.includes(other));
      if (added.length > 0) found.set(word, [...known, ...added].slice(0, maxSpellings));
    };
  const [add, addWeaker] = [addTo(spellings), addTo(weaker)];
  const searched = text.slice(0, maxCharacters);
  const tokens = hasDigit.test(searched)
    ? given.flatMap((token) => spellNumber(token, add, addWeaker))
    : given;
  for (const token of tokens) {
    if (token.kind === 'word' || token.kind === 'dotted') add(token.text, namesOf(token.text));
    if (token.kind === 'hyphenated') addHyphenated(token.parts, spellings, kept);
  }
  if (hasDigit.test(searched)) {
    if (mayBeGrouped.test(searched)) addGroupedNumbers(searched, add);
    if (mayBeDate.test(searched)) addDigitDates(searched, add, addWeaker);
    if (tokens.some((token) => token.kind === 'word' && writtenMonths.has(token.text)))
      addNamedDates(searched, add, addWeaker);
  }
  return { tokens, spellings, weaker, kept };
}

type Add = (word: string, others: readonly string[]) => void;

function addHyphenated(parts: readonly string[], spellings: Map<string, string[]>, kept: Set<string>): void {
  const whole = foldCase(parts.join(''));
  for (const part of parts) {
    kept.add(foldCase(part));
    const known = spellings.get(part) ?? [];
    if (known.length < maxJoined) spellings.set(part, [...known, whole]);
  }
}

/** `nodejs` for `Node.js`, and the other way round; `7.4` for `v7.4`. */
function namesOf(word: string): string[] {
  if (!mayHaveNames.test(word)) return [];
  const folded = foldCase(word);
  const joined = /^([a-z0-9]{2,})(js|io)$/.exec(folded);
  if (joined !== null) return [`${joined[1]}.${joined[2]}`];
  if (/^[a-z][a-z0-9]*\.(?:js|io)$/.test(folded)) return [folded.replace('.', '')];
  const version = /^(v?)(\d+(?:\.\d+)+)$/.exec(folded);
  return version === null ? [] : [version[1] === '' ? `v${version[2]}` : (version[2] ?? '')];
}

/**
 * `10000` and `10k` for each other, as a term each. A text has `10,000` as two words, and each stands for one of the terms by a lower
 * weight: `10 rows`, `20,000` and `10,000,000` hold them too.
 */
function spellNumber(token: Token, add: Add, addWeaker: Add): Token[] {
  if (token.kind !== 'word' || !hasDigit.test(token.text)) return [token];
  const short = thousands.exec(token.text);
  if (short === null && !plainNumber.test(token.text)) return [token];
  const value = short === null ? Number(token.text) : 1_000 * Number(short[1]);
  const groups = String(value).split(groupStart);
  const forms = formsOf(groups);
  add(token.text, forms);
  if (value < leastSplit || groups.at(-1) !== '000') return [token];
  const other = (short === null ? forms.at(-1) : forms[0]) ?? '';
  add(other, [token.text.toLowerCase(), ...forms]);
  addWeaker(token.text, groups.slice(0, 1));
  addWeaker(other, ['000']);
  return [token, { kind: 'word', text: other }];
}

function addGroupedNumbers(text: string, add: Add): void {
  for (const [number] of text.matchAll(grouped)) {
    const groups = number.split(/[^0-9]/);
    for (const group of groups) add(group, formsOf(groups));
  }
}

/** A number without groups, with points, and in thousands. */
function formsOf(groups: readonly string[]): string[] {
  const short = groups.at(-1) === '000' ? [`${groups.slice(0, -1).join('')}k`] : [];
  return [groups.join(''), ...(groups.length > 1 ? [groups.join('.')] : []), ...short];
}

function addDigitDates(text: string, add: Add, addWeaker: Add): void {
  for (const pattern of digitDates)
    for (const { groups: { month = '', day: written = '' } = {} } of text.matchAll(pattern)) {
      const names = namesOfMonths[Number(month) - 1] ?? [];
      add(
        month,
        names.filter((each) => !ambiguous.has(each)),
      );
      addWeaker(month, numberForms(Number(month)));
      addDay(written, add, addWeaker);
    }
}

function addNamedDates(text: string, add: Add, addWeaker: Add): void {
  for (const pattern of namedDates)
    for (const { groups: { month: named = '', day: written } = {} } of text.matchAll(pattern)) {
      const month = monthOf.get(foldCase(named)) ?? 0;
      add(named, namesOfMonths[month - 1] ?? []);
      addWeaker(named, numberForms(month).slice(-1));
      if (written !== undefined) addDay(written, add, addWeaker);
    }
}

/** `3` and `03`; the one with two digits last. */
function numberForms(value: number): string[] {
  const padded = String(value).padStart(2, '0');
  return padded === String(value) ? [padded] : [String(value), padded];
}

/** `3rd` for `3`, and `03`, which is a month too. */
function addDay(written: string, add: Add, addWeaker: Add): void {
  const value = Number.parseInt(written, 10);
  const ending =
    value % 10 <= 3 && Math.floor(value / 10) !== 1 ? ['th', 'st', 'nd', 'rd'][value % 10] : 'th';
  add(written, [`${value}`, `${value}${ending}`]);
  addWeaker(written, numberForms(value));
}
