import { splitHiddenCharacters } from '@continuity/contract/hidden-characters';

const maxLines = 300;
const maxCharacters = 20_000;
const maxCodes = 500;

/** Divides a text into parts of 300 lines, 20,000 characters or 500 hidden characters, of which one is shown at a time. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let lines = 0;
  const close = () => {
    if (part !== '') parts.push(part);
    part = '';
    lines = 0;
  };
  for (const line of text.split(/(?<=\n)/)) {
    for (const chunk of chunksOf(line)) {
      if (part.length + chunk.length > maxCharacters || lines >= maxLines) close();
      part += chunk;
    }
    lines += 1;
  }
  close();
  return parts.length === 0 ? [''] : parts.flatMap(limitCodes);
}

function chunksOf(line: string): string[] {
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
function limitCodes(part: string): string[] {
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
