/** A line without its marks of a quote, and their number. */
export interface QuotedLine {
  marks: number;
  text: string;
  /** Indentation of the text, in characters. */
  indent: number;
}

/** `>` before a quoted line, and not the beginning of `>= 5 %`. */
const quoteMarks = /^(?:\s{0,3}>(?!=)[ \t]?)+/;
/** A comparison behind a mark: `> 500 ms`. A number of a list, a date and a time are none. */
const comparison =
  /^(?!\d{1,4}[./-]\d{1,2}[./-]\d)[-+~±]?[$€£¥]?\d{1,12}(?:[.,'’_]\d{1,12}){0,6}(?![\d.:)/\uFF0E\u3001-])/;
/** The line of a mail program above what it quotes. */
const attribution =
  /(?:\b(?:wrote|writes|said|says|schrieb|schreibt|escribió|escreveu|ha scritto|schreef|skrev|napisał|a écrit|написал|yazdı)|写道|寫道|のメール|さん|작성)[^:\uFF1A]{0,80}[:\uFF1A]\s*$|<[^<>\s]{1,80}@[^<>\s]{1,80}>[^:]{0,20}:?\s*$/iu;

/**
 * Removes the marks of quotes. A mark before a number stays as a comparison (`> 500 ms`) unless the lines around it are quoted as
 * deep, or a line above says who wrote it. Linear.
 */
export function readQuotes(lines: readonly string[]): QuotedLine[] {
  const read = lines.map(readLine);
  let start = 0;
  while (start < read.length) {
    let end = start + 1;
    if (read[start]?.marks !== 0) {
      while (end < read.length && read[end]?.marks !== 0) end += 1;
      if (!attribution.test(lines[start - 1] ?? '')) keepComparisons(read, start, end);
    }
    start = end;
  }
  return read;
}

function readLine(line: string): QuotedLine {
  const prefix = quoteMarks.exec(line)?.[0] ?? '';
  const rest = line.slice(prefix.length);
  return { marks: prefix.replace(/[^>]/g, '').length, text: rest.trim(), indent: rest.search(/\S/) };
}

/** Gives the comparisons of a run of quoted lines their mark back, where it is deeper than the other lines. */
function keepComparisons(lines: QuotedLine[], start: number, end: number): void {
  const run = lines.slice(start, end);
  const depth = run.reduce(
    (most, { marks, text }) => (comparison.test(text) ? most : Math.max(most, marks)),
    0,
  );
  for (const line of run) {
    if (line.marks <= depth || !comparison.test(line.text)) continue;
    line.marks -= 1;
    line.text = `> ${line.text}`;
  }
}
