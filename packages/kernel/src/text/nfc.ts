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

// JavaScript does not expose the combining class of a character. This file derives it by normalizing pairs of marks.

/** A mark of the last combining class. */
const lastMark = '\u0345';

/** One mark of each known combining class, in ascending order of the classes. */
const classes: string[] = [];

/** The mark of `classes` for each known mark; null for combining class 0, which is never reordered. */
const classOfMark = new Map<string, string | null>();

/**
 * Decomposes a run of combining marks and puts them into canonical order, in linear time. No normal form of the text changes.
 * `normalize` sorts by insertion, which takes quadratic time unless the run is in order.
 */
export function orderMarks(run: string): string {
  let ordered = '';
  let movable = new Map<string, string>();
  const flush = () => {
    for (const representative of classes) ordered += movable.get(representative) ?? '';
    movable = new Map();
  };
  for (const mark of run) {
    for (const part of mark.normalize('NFD')) {
      const combiningClass = classOf(part);
      if (combiningClass === null) {
        flush();
        ordered += part;
      } else movable.set(combiningClass, (movable.get(combiningClass) ?? '') + part);
    }
  }
  flush();
  return ordered;
}

function classOf(mark: string): string | null {
  const known = classOfMark.get(mark);
  if (known !== undefined) return known;
  const found = findClass(mark);
  classOfMark.set(mark, found);
  return found;
}

function findClass(mark: string): string | null {
  if (mark !== lastMark && !precedes(mark, lastMark)) return null;
  const index = classes.findIndex((one) => !precedes(one, mark));
  const next = classes[index];
  if (next !== undefined && !precedes(mark, next)) return next;
  classes.splice(index === -1 ? classes.length : index, 0, mark);
  return mark;
}

/** Whether canonical order puts one mark before the other; never for two of one class. */
function precedes(mark: string, other: string): boolean {
  return (other + mark).normalize('NFD') === mark + other;
}
