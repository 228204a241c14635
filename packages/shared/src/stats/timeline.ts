import type { ByteWriter } from './byte-writer.ts';

/** A section of the answer that ends with its days, `"daily"`. */
export interface Timeline {
  /** Its JSON up to the days. */
  head: string;
  /** The JSON of each day on which something happened, by its place in the period. */
  days: ReadonlyMap<number, string>;
}

/**
 * Writes timelines of one period. Quiet days are most of what a Scope has: their text is made once, and copied in stretches.
 *
 * @param quietDays the JSON of each day, with nothing in it
 */
export function timelineWriter(quietDays: readonly string[]): (out: ByteWriter, timeline: Timeline) => void {
  const quiet = Buffer.from(quietDays.join(','));
  const starts: number[] = [];
  let start = 0;
  for (const day of quietDays) {
    starts.push(start);
    start += Buffer.byteLength(day) + 1;
  }
  const writeQuiet = (out: ByteWriter, from: number, to: number) => {
    if (from === to) return;
    if (from > 0) out.text(',');
    out.bytes(quiet.subarray(starts[from], (starts[to] ?? start) - 1));
  };
  return (out, { head, days }) => {
    out.text(`${head}[`);
    let next = 0;
    for (const day of [...days.keys()].sort((left, right) => left - right)) {
      writeQuiet(out, next, day);
      out.text(day === 0 ? (days.get(day) ?? '') : `,${days.get(day)}`);
      next = day + 1;
    }
    writeQuiet(out, next, quietDays.length);
    out.text(']}');
  };
}
