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
