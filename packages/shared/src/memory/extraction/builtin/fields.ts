import type { QuotedLine } from './quotes.ts';
import { parseSpeaker } from './speakers.ts';

/** Fewest lines of a list of fields. */
const leastFields = 3;
/** Most words of a value. */
const maxWords = 6;

/**
 * The lines that are labels with values and not speech, by their numbers: at least three in a row, each label once in the text, and
 * none with a sentence: `Hosting: Hetzner`, `Region: Lyon`, `Owner: Anna`.
 *
 * @param lines trimmed lines without their list marks
 */
export function fieldLines(lines: readonly string[]): Set<number> {
  const labels = lines.map((line) => parseSpeaker(line)?.speaker ?? null);
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const isField = (line: string, label: string | null) =>
    /^\p{L}[^:\uFF1A]{1,40}[:\uFF1A]\s*\S/u.test(line) &&
    (label === null || counts.get(label) === 1) &&
    isShort(line);
  const found = new Set<number>();
  let run: number[] = [];
  const endRun = () => {
    if (run.length >= leastFields) for (const at of run) found.add(at);
    run = [];
  };
  for (const [at, line] of lines.entries()) {
    if (isField(line, labels[at] ?? null)) run.push(at);
    else endRun();
  }
  endRun();
  return found;
}

function isShort(line: string): boolean {
  return line.split(/\s/, maxWords + 2).length <= maxWords + 1 && !/[.!?。！？]$/u.test(line);
}

/** The words in lower case of a text. */
export function lowerWordsOf(lines: readonly QuotedLine[]): Set<string> {
  const text = lines.map((line) => line.text).join(' ');
  return new Set(text.match(/(?<!\p{L})\p{Ll}+/gu));
}
