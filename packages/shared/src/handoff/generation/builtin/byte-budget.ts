import type { HandoffStatement } from '@continuity/contract/handoff';
import { canonicalJson, utf8Length } from '@continuity/shared/kernel';

/** Bytes that are left for statements, in the unit of `max_bytes`: UTF-8 of the JCS. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes what the statement needs in a list, if that leaves `spare` bytes. */
  take(statement: HandoffStatement, spare = 0): boolean {
    const bytes = utf8Length(canonicalJson(statement)) + 1;
    if (bytes + spare > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** The statement with as much of its text as there is room for; undefined where that is next to nothing. */
  takeBeginning(statement: HandoffStatement): HandoffStatement | undefined {
    const frame = utf8Length(canonicalJson({ ...statement, text: '…' })) + 1;
    const text = beginningOf(statement.text, this.#left - frame).trimEnd();
    if (utf8Length(text) < leastBeginning) return undefined;
    const beginning = { ...statement, text: `${text}…` };
    return this.take(beginning) ? beginning : undefined;
  }
}

/** Bytes of a beginning that still says something. */
const leastBeginning = 16;

/** As many first code points as take `maxBytes` inside a JSON string. */
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
