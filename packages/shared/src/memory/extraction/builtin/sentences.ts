import { cjkCharacters } from './scripts.ts';

const closers = '["\'’”»)\\]}」』\\uFF09】〉》*_`]*';
const terminal = new RegExp(`[\\p{Sentence_Terminal}…]+${closers}`, 'gu');
const terminalAtEnd = new RegExp(`[\\p{Sentence_Terminal}…]${closers}$`, 'u');
const onlyAsciiMarks = /^[.!?…]+/;
const onlyDots = new RegExp(`^[.…]+${closers}$`);
const startsCjk = new RegExp(`^[${cjkCharacters}“‘「『《【\\uFF08]`, 'u');

/** Whether a line ends with a sentence mark. Closing quotes and emphasis may follow the mark. */
export function hasSentenceEnd(line: string): boolean {
  // The slice keeps a very long line cheap.
  return terminalAtEnd.test(line.slice(-16));
}

/**
 * Splits text into sentences by the rules of UAX #29: a stop before a lower-case letter, or inside a number or name, ends no sentence.
 * Nor does the stop of a common abbreviation or an initial. `Intl.Segmenter` depends on the ICU data of the host, but results must
 * not (spec 20 X5). Linear.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const mark of text.matchAll(terminal)) {
    const end = mark.index + mark[0].length;
    if (!endsHere(text, start, mark.index, mark[0])) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

function endsHere(text: string, sentenceStart: number, at: number, mark: string): boolean {
  const rest = text.slice(at + mark.length, at + mark.length + 40);
  if (rest.trim() === '' || !onlyAsciiMarks.test(mark)) return true;
  if (!/^\s/.test(rest)) return startsCjk.test(rest);
  const next = rest.trimStart();
  if (/^[,;:)]/.test(next)) return false;
  const goesOnSmall = /^\p{Ll}/u.test(next);
  if (!onlyDots.test(mark)) return !(goesOnSmall && /[^.!?…]$/.test(mark));
  if (goesOnSmall) return false;
  return mark !== '.' || !isAbbreviation(text, sentenceStart, at, next);
}

const knownAbbreviations = new Set(
  'e.g i.e eg ie cf vs mr mrs ms dr prof st approx resp incl excl al ca z.b d.h u.a o.ä i.d.r bzw ggf evtl sog vgl str mio mrd mind max inkl zzgl usw gem lt u.s a.m p.m'.split(
    ' ',
  ),
);
const beforeNumber = new Set(
  'no nr fig figs sec ch vol pp p art eq par abs kap bd jan feb mar apr jun jul aug sep sept oct okt nov dec dez mo di mi do fr sa so mon tue tues wed thu thur thurs fri sat sun'.split(
    ' ',
  ),
);
/** Words behind a German ordinal number: `am 5. Januar`. */
const afterOrdinal =
  /^(?:jan|feb|märz?|apr|mai|juni?|juli?|aug|sep|okt|nov|dez|quartal|halbjahr|woche|tag|monat|kalenderwoche|platz|stock|version|auflage|jahrhundert)/iu;
// `Option B. Then …` ends a sentence; `John F. Kennedy` does not.
const beforeLetter = new Set(
  'option plan phase type class group variant team grade part step appendix'.split(' '),
);

/** Whether the stop at `at` ends an abbreviation. */
function isAbbreviation(text: string, sentenceStart: number, at: number, next: string): boolean {
  const before = text.slice(Math.max(sentenceStart, at - 40), at);
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? '';
  const lower = word.toLowerCase();
  if (knownAbbreviations.has(lower)) return true;
  if (beforeNumber.has(lower)) return /^\d/.test(next);
  const lead = before.slice(0, before.length - word.length).trim();
  if (/^\d{1,3}$/.test(word)) return lead === '' || (word.length < 3 && afterOrdinal.test(next));
  // `z. B.`, `i. e.`
  if (/^\p{Ll}$/u.test(word)) return /^\p{L}\./u.test(next);
  return /^\p{Lu}$/u.test(word) && word !== 'I' && (/^\p{Lu}\./u.test(next) || isInitialAfter(lead));
}

function isInitialAfter(lead: string): boolean {
  if (lead === '' || /(?:^|\s)\p{L}\.$/u.test(lead)) return true;
  const previous = /(?:^|\s)(\p{Lu}[\p{L}.'’-]*)$/u.exec(lead)?.[1];
  return previous !== undefined && !beforeLetter.has(previous.toLowerCase());
}
