import { splitSegments } from '../../search/index.ts';

/** Limits of the texts that a query is embedded as, and of the characters of each (spec 25 Q8). */
const maxWindows = 8;
const maxWindowCharacters = 1_000;

/** Factor by which windows grow until there are few enough. */
const lengthStep = 1.25;

/**
 * The texts that a query is embedded as: each segment by itself. Of more segments, neighbors share a window, so that 8 windows of about
 * equal length remain. Where those would be longer than a window may be, the first, the last and others at equal distances.
 */
export function queryWindows(text: string): string[] {
  const segments = splitSegments(text);
  if (segments.length <= 1) return [text];
  const pieces = segments.flatMap(cutLongSegment);
  let windows = pieces;
  for (let length = text.length / maxWindows; windows.length > maxWindows; length *= lengthStep) {
    windows = joinPieces(pieces, Math.min(length, maxWindowCharacters));
    if (length >= maxWindowCharacters) break;
  }
  if (windows.length <= maxWindows) return windows;
  const step = (windows.length - 1) / (maxWindows - 1);
  return Array.from({ length: maxWindows }, (_, index) => windows[Math.round(index * step)] ?? '');
}

/** Windows of whole pieces, each of at most `length` characters unless it is one piece. */
function joinPieces(pieces: readonly string[], length: number): string[] {
  const windows: string[] = [];
  for (const piece of pieces) {
    const last = windows.at(-1);
    const joined = last === undefined ? piece : `${last}\n${piece}`;
    if (last !== undefined && joined.length <= length) windows[windows.length - 1] = joined;
    else windows.push(piece);
  }
  return windows;
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
