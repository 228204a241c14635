/** Passages that stand in both of two texts, as each of them has them. */
export interface Passages {
  first: string[];
  second: string[];
}

const seed = 12;
const minCharacters = 24;
const minCjk = 12;
const maxPassages = 100;
const maxCharacters = 250_000;
const cjk = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/g;

/**
 * Finds passages of 24 characters, or 12 of Chinese, Japanese or Korean, that stand verbatim in both texts, white space folded
 * (spec 60 §7.3.4). Texts are cut at 250,000 characters.
 */
export function findPassages(first: string, second: string): Passages {
  const one = fold(first.slice(0, maxCharacters));
  const other = fold(second.slice(0, maxCharacters));
  const places = new Map<string, number[]>();
  for (let at = 0; at + seed <= one.text.length; at += 1) {
    const key = one.text.slice(at, at + seed);
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else if (known.length < 8) known.push(at);
  }
  const found: Passages = { first: [], second: [] };
  for (let at = 0; at + seed <= other.text.length && found.first.length < maxPassages; ) {
    const best = longest(one.text, other.text, at, places.get(other.text.slice(at, at + seed)) ?? []);
    if (
      best === undefined ||
      !startsWord(other.text[at] ?? '') ||
      !isLong(other.text.slice(at, at + best.length))
    ) {
      at += 1;
      continue;
    }
    found.first.push(one.raw(best.at, best.at + best.length));
    found.second.push(other.raw(at, at + best.length));
    at += best.length;
  }
  return found;
}

function longest(
  one: string,
  other: string,
  at: number,
  places: number[],
): { at: number; length: number } | undefined {
  let best: { at: number; length: number } | undefined;
  for (const place of places) {
    let length = seed;
    while (
      place + length < one.length &&
      at + length < other.length &&
      one[place + length] === other[at + length]
    )
      length += 1;
    if (best === undefined || length > best.length) best = { at: place, length };
  }
  return best;
}

const startsWord = (character: string): boolean =>
  /[\p{L}\p{N}\p{M}]/u.test(character) || character > '\uD7FF';

function isLong(passage: string): boolean {
  const text = passage.trim();
  return text.length >= minCharacters || (text.match(cjk)?.length ?? 0) >= minCjk;
}

/** The text with each run of white space as one space, and the raw text of a range of it. */
function fold(text: string): { text: string; raw(from: number, to: number): string } {
  const starts: number[] = [];
  let folded = '';
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text[at] ?? '');
    if (isSpace && folded.endsWith(' ')) continue;
    folded += isSpace ? ' ' : text[at];
    starts.push(at);
  }
  return { text: folded, raw: (from, to) => text.slice(starts[from], (starts[to - 1] ?? -1) + 1) };
}
