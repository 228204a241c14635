/** Longest run of combining marks, in UTF-16 units, that is normalized. No language uses more than a few marks in a row. */
const maxMarkRun = 256;

const markRuns = /\p{M}+/gu;

/**
 * Unicode NFC in linear time. `normalize` sorts each run of combining marks by insertion, in quadratic time, so runs over 256
 * marks stay as they are.
 */
export function toNfc(text: string): string {
  let normalized = '';
  let start = 0;
  for (const { 0: run, index } of text.matchAll(markRuns)) {
    if (run.length <= maxMarkRun) continue;
    normalized += text.slice(start, index).normalize('NFC') + run;
    start = index + run.length;
  }
  return normalized + text.slice(start).normalize('NFC');
}

/** Truncates runs of combining marks, so that any normalization of the text takes linear time. */
export function truncateMarkRuns(text: string): string {
  return text.replace(markRuns, (run) => run.slice(0, maxMarkRun).toWellFormed());
}
