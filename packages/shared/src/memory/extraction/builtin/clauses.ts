import { utf8Length } from '../../../kernel/text.ts';

// A clause mark of Latin script ends a clause before a space only: `a,b` and `10:30` are no clauses.
const CLAUSE_END = /[,;:—–](?=\s)|[\uFF0C\u3001\uFF1B\uFF1A]/gu;

/**
 * A text of at most `maxBytes` UTF-8 bytes as it is; a longer one cut at clause marks into pieces as long as they may
 * be. A clause that is longer by itself is left out (spec 20 X5).
 */
export function cutAtClauses(text: string, maxBytes: number): string[] {
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

/** The clauses in order, each with its mark; joined they are the text again. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const mark of text.matchAll(CLAUSE_END)) {
    clauses.push(text.slice(start, mark.index + 1));
    start = mark.index + 1;
  }
  clauses.push(text.slice(start));
  return clauses;
}
