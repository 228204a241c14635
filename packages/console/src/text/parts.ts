import { splitHiddenCharacters } from '@continuity/contract/hidden-characters';

/** What one part holds at most. */
export interface PartLimits {
  lines: number;
  /** In UTF-16 code units. */
  characters: number;
  /** Runs of hidden characters. */
  codes: number;
}

/** Limits of what is shown at a time (spec 60 §5.2.3). */
export const shownLimits: PartLimits = { lines: 300, characters: 20_000, codes: 500 };

/** Divides a text into parts of which one is shown at a time. An empty text has one part. */
export function partsOf(text: string, limits: PartLimits = shownLimits): string[] {
  const parts: string[] = [];
  let part = '';
  let lines = 0;
  const close = () => {
    if (part !== '') parts.push(part);
    part = '';
    lines = 0;
  };
  for (const line of text.split(/(?<=\n)/)) {
    for (const chunk of chunksOf(line, limits.characters)) {
      if (part.length + chunk.length > limits.characters || lines >= limits.lines) close();
      part += chunk;
    }
    lines += 1;
  }
  close();
  return parts.length === 0 ? [''] : parts.flatMap((one) => limitCodes(one, limits.codes));
}

function chunksOf(line: string, maxCharacters: number): string[] {
  if (line.length <= maxCharacters) return [line];
  const chunks: string[] = [];
  for (let start = 0; start < line.length; ) {
    let end = Math.min(line.length, start + maxCharacters);
    if (end < line.length && /[\uD800-\uDBFF]/.test(line[end - 1] ?? '')) end -= 1;
    chunks.push(line.slice(start, end));
    start = end;
  }
  return chunks;
}

/** Divides a part with many hidden characters further. */
function limitCodes(part: string, maxCodes: number): string[] {
  const limited: string[] = [];
  let text = '';
  let codes = 0;
  for (const piece of splitHiddenCharacters(part)) {
    if (piece.hidden) codes += 1;
    if (codes > maxCodes) {
      limited.push(text);
      text = '';
      codes = 1;
    }
    text += piece.text;
  }
  return [...limited, text];
}

const plain = /^[\t\n\x20-\x7e]*$/;

/** How many codes are drawn for the hidden characters of a text. */
export function countCodes(text: string): number {
  return plain.test(text) ? 0 : [...splitHiddenCharacters(text)].filter(({ hidden }) => hidden).length;
}
