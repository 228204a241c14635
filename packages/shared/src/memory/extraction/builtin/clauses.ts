import { utf8Length } from '@continuity/kernel/text';

// A Latin clause mark needs a space after it, so that `a,b` and `10:30` stay whole.
const clauseEnd = /[,;:—–](?=\s)|[\uFF0C\u3001\uFF1B\uFF1A]/gu;

/**
 * Splits a text of more than `maxBytes` UTF-8 bytes at clause marks into pieces of maximal length. Drops a clause that alone
 * exceeds the limit (spec 20 X5).
 */
export function splitAtClauses(text: string, maxBytes: number): string[] {
  if (utf8Length(text) <= maxBytes) return [text];
  const pieces: string[] = [];
  let piece = '';
  let size = 0;
  for (const clause of clausesOf(text)) {
    const bytes = utf8Length(clause);
    if (size + bytes > maxBytes) {
      pieces.push(piece.trim());
      piece = '';
      size = 0;
    }
    if (bytes > maxBytes) continue;
    piece += clause;
    size += bytes;
  }
  pieces.push(piece.trim());
  return pieces.filter((each) => each !== '');
}

/** The clauses in order, each with its mark. Joining them gives the text. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const mark of text.matchAll(clauseEnd)) {
    clauses.push(text.slice(start, mark.index + 1));
    start = mark.index + 1;
  }
  clauses.push(text.slice(start));
  return clauses;
}
