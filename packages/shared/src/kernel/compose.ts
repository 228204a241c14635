/** Marks that stand behind one letter: of so many in a row the order costs. No language has more than a few. */
const longRuns = /\p{M}{32,}/gu;

/** Of the highest combining class: every mark of a lower one moves before it. */
const last = '\u0345';

/**
 * `text.normalize('NFC')`, in a time that grows with the text alone. A normalizer puts each mark into its place among those
 * before it, one by one, which takes the square of their number; here long runs are in canonical order (UAX #15 §3.11, Unicode
 * §3.11 D109) before it sees them.
 */
export function composeText(text: string): string {
  return text.replace(longRuns, orderMarks).normalize('NFC');
}

function orderMarks(run: string): string {
  const decomposed = new Map<string, string[]>();
  for (const mark of new Set(run)) decomposed.set(mark, [...mark.normalize('NFD')]);
  const ranks = rankMarks(new Set([...decomposed.values()].flat()));
  let ordered = '';
  let waiting: string[][] = [];
  for (const mark of run) {
    for (const part of decomposed.get(mark) ?? []) {
      const rank = ranks.get(part);
      if (rank === undefined) {
        ordered += waiting.flat().join('') + part;
        waiting = [];
        continue;
      }
      waiting[rank] ??= [];
      waiting[rank].push(part);
    }
  }
  return ordered + waiting.flat().join('');
}

/** The place of each mark's combining class among those of all; none for a mark that others do not move across. */
function rankMarks(marks: ReadonlySet<string>): Map<string, number> {
  const moving = [...marks].filter((mark) => mark === last || movesBefore(mark, last)).sort(compareClasses);
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [index, mark] of moving.entries()) {
    const before = moving[index - 1];
    if (before !== undefined && movesBefore(before, mark)) rank += 1;
    ranks.set(mark, rank);
  }
  return ranks;
}

function compareClasses(left: string, right: string): number {
  if (movesBefore(left, right)) return -1;
  return movesBefore(right, left) ? 1 : 0;
}

/** True where the combining class of `mark` is lower than that of `other`, and neither is zero. */
function movesBefore(mark: string, other: string): boolean {
  return mark !== other && (other + mark).normalize('NFD') === mark + other;
}
