import type { HandoffStatement } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';

/** Counts the bytes left for statements, in UTF-8 of canonical JSON, the unit of `max_bytes`. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Reserves the bytes of a statement if at least `spare` bytes are left afterwards. */
  take(statement: HandoffStatement, spare = 0): boolean {
    const bytes = utf8Length(canonicalJson(statement)) + 1;
    if (bytes + spare > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Truncates the text of a statement to the bytes left and reserves them; undefined if too little would remain. */
  takeBeginning(statement: HandoffStatement): HandoffStatement | undefined {
    const frame = utf8Length(canonicalJson({ ...statement, text: '…' })) + 1;
    const text = beginningOf(statement.text, this.#left - frame).trimEnd();
    if (utf8Length(text) < leastBeginning) return undefined;
    const beginning = { ...statement, text: `${text}…` };
    return this.take(beginning) ? beginning : undefined;
  }
}

/** Shortest truncated text, in bytes. */
const leastBeginning = 16;

/** Truncates a text to whole code points that fit `maxBytes` inside a JSON string. */
function beginningOf(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const point of text) {
    bytes += utf8Length(JSON.stringify(point)) - 2;
    if (bytes > maxBytes) break;
    end += point.length;
  }
  return text.slice(0, end);
}
