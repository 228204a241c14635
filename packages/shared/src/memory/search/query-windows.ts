import { splitSegments } from '../../search/index.ts';

/** Limits of the texts that a query is embedded as, and of the characters of each (spec 25 Q8). */
const maxWindows = 8;
const maxWindowCharacters = 1_000;

/**
 * The texts that a query is embedded as: itself if it is one segment or fits into one window, else windows of whole segments. Of more
 * than 8 windows, the first, the last and others at equal distances.
 */
export function queryWindows(text: string): string[] {
  const segments = splitSegments(text);
  if (segments.length <= 1 || text.length <= maxWindowCharacters) return [text];
  const windows: string[] = [];
  for (const piece of segments.flatMap(cutLongSegment)) {
    const last = windows.at(-1);
    const joined = last === undefined ? piece : `${last}\n${piece}`;
    if (last !== undefined && joined.length <= maxWindowCharacters) windows[windows.length - 1] = joined;
    else windows.push(piece);
  }
  if (windows.length <= maxWindows) return windows;
  const step = (windows.length - 1) / (maxWindows - 1);
  return Array.from({ length: maxWindows }, (_, index) => windows[Math.round(index * step)] ?? '');
}

function cutLongSegment(segment: string): string[] {
  const pieces: string[] = [];
  for (let rest = segment; rest !== ''; ) {
    const [piece, more] =
      rest.length <= maxWindowCharacters ? [rest, ''] : cutAtSpace(rest, maxWindowCharacters);
    pieces.push(piece);
    rest = more;
  }
  return pieces;
}

/** The halves of a text, cut at a space near its middle; the text itself if it is one character. */
export function halvesOf(text: string): string[] {
  if (text.length < 2) return [text];
  return cutAtSpace(text, Math.ceil(text.length / 2)).filter((half) => half !== '');
}

/** Cuts before the last space among the first `length` characters, or inside a word without a space. */
function cutAtSpace(text: string, length: number): [string, string] {
  const space = text.lastIndexOf(' ', length);
  const at = space > length / 2 ? space : length;
  return [text.slice(0, at).toWellFormed().trim(), text.slice(at).toWellFormed().trim()];
}
