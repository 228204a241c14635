import { orderMarks } from './combining-marks.ts';

/** Longer runs of combining marks, in UTF-16 units, are put in order before `normalize`. No language uses more than a few in a row. */
const maxMarkRun = 256;

const markRuns = /\p{M}+/gu;

/** Text without a match is NFC: no character below U+0300 is a mark or changes (Unicode, NFC_Quick_Check). */
const mayChange = /[\u0300-\uffff]/;

/** Unicode NFC in linear time. `normalize` takes quadratic time for a long run of combining marks that are not in order. */
export function toNfc(text: string): string {
  if (!mayChange.test(text)) return text;
  return text.replace(markRuns, (run) => (run.length > maxMarkRun ? orderMarks(run) : run)).normalize('NFC');
}

/** Truncates runs of combining marks, so that any normalization of the text takes linear time. */
export function truncateMarkRuns(text: string): string {
  return text.replace(markRuns, (run) => run.slice(0, maxMarkRun).toWellFormed());
}
