import { diffArrays, diffWordsWithSpace } from 'diff';

/** A line of a difference. `words` are the parts of a line that replaces another one. */
export interface DifferenceLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  words?: { text: string; isChanged: boolean }[];
}

const limitMs = 1_000;
const maxWordParts = 80;
const maxLineCharacters = 4_000;

/** Compares two texts by lines, and changed lines by words. Null where that takes more than a second. */
export function compareTexts(before: string, after: string): DifferenceLine[] | null {
  const deadline = performance.now() + limitMs;
  const changes = diffArrays(linesOf(before), linesOf(after), { timeout: limitMs });
  if (changes === undefined) return null;
  const lines: DifferenceLine[] = [];
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    const next = changes[index + 1];
    if (change === undefined) continue;
    if (change.removed && next?.added) {
      lines.push(...compareLines(change.value, next.value, deadline));
      index += 1;
    } else {
      const kind = change.added ? 'added' : change.removed ? 'removed' : 'same';
      lines.push(...change.value.map((text): DifferenceLine => ({ kind, text })));
    }
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Removed and added lines. Pairs of equal number are compared by words. */
function compareLines(removed: string[], added: string[], deadline: number): DifferenceLine[] {
  const before = removed.map((text): DifferenceLine => ({ kind: 'removed', text }));
  const after = added.map((text): DifferenceLine => ({ kind: 'added', text }));
  if (removed.length === added.length)
    before.forEach((line, index) => {
      const other = after[index];
      if (other !== undefined && performance.now() < deadline) compareWords(line, other);
    });
  return [...before, ...after];
}

function compareWords(line: DifferenceLine, other: DifferenceLine): void {
  if (line.text.length + other.text.length > maxLineCharacters) return;
  const parts = diffWordsWithSpace(line.text, other.text);
  if (parts.length > maxWordParts) return;
  line.words = parts
    .filter(({ added }) => !added)
    .map(({ value, removed }) => ({ text: value, isChanged: removed }));
  other.words = parts
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value, isChanged: added }));
}
