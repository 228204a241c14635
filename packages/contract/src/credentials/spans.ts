/** A part of a text, as UTF-16 offsets. */
export interface Span {
  start: number;
  end: number;
}

/** Sorts spans, joins those that overlap, and drops each that a `kept` span contains. `kept` is sorted and disjoint. */
export function mergeSpans(spans: readonly Span[], kept: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let place = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    while ((kept[place]?.end ?? Number.POSITIVE_INFINITY) <= span.start) place += 1;
    const around = kept[place];
    if (around !== undefined && around.start <= span.start && span.end <= around.end) continue;
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/**
 * Most repetitions in a pattern: a longer match would take the stack of the regular expression engine. `matchSpans` extends a match
 * of this length to the end of its run.
 */
const maxRepetitions = 4_000;

const inRun = /[^\s"'`&#]/;

/** The spans of all matches of a global expression; of its group `value` where it has the flag `d` and that group. */
export function* matchSpans(text: string, pattern: RegExp): Generator<Span & { value: string }> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const matched = match.indices?.groups?.['value'] ?? [match.index, match.index + match[0].length];
    const [start] = matched;
    let [, end] = matched;
    if (end - start >= maxRepetitions) {
      while (end < text.length && inRun.test(text.charAt(end))) end += 1;
      pattern.lastIndex = end;
    }
    yield { start, end, value: text.slice(start, end) };
  }
}
