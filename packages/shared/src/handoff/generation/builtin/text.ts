import type { HandoffStatement } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { excerptOf, utf8Length } from '@continuity/kernel/text';
import { hasCredentialOrMask } from '../../../memory/index.ts';

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

/** Limit of counted shared words. */
const maxShared = 3;

/** Words of at least four letters, which excludes most function words; for Han text each character. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]{4,}/gu));
}

/** Number of wanted words in the text, up to `maxShared`. */
export function countShared(text: string, wanted: ReadonlySet<string>): number {
  return Math.min([...wordsOf(text)].filter((word) => wanted.has(word)).length, maxShared);
}

/** Limit of a quote, in code points. */
const maxQuote = 300;

/** Replaces a quote if there is no text or if it looks like a credential. */
const nothingToQuote = 'The evidence holds no text that could be quoted.';

/**
 * Quotes evidence without statements, on one line. `beginning` is the beginning of its text. Never quotes anything that looks like
 * a credential.
 */
export function quoteOf(beginning: string): string {
  const quote = excerptOf(beginning.toWellFormed(), maxQuote);
  return quote === '' || hasCredentialOrMask(beginning) ? nothingToQuote : quote;
}
