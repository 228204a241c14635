import { entrypoint } from '../files.ts';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { jsonString, readSkillFile } from './skill-file.ts';

/** A line of a `SKILL.md` that was changed. */
export interface LineFix {
  /** Counted from 1. */
  line: number;
  before: string;
  after: string;
}

/** More than all values that a valid file has: fields and entries of `metadata`. */
const maxFixes = 80;

const mark = '\uFEFF';

/**
 * Mends a `SKILL.md`: drops a byte-order mark, and puts values of one line that YAML reads otherwise in double quotes, of the fields of
 * spec 40 §5.3.3 alone. Returns the bytes and the lines that changed. What it cannot mend it leaves for `readSkillFile` to refuse.
 */
export function fixSkillFile(bytes: Buffer): { bytes: Buffer; fixes: LineFix[] } {
  const fixes: LineFix[] = [];
  let text = bytes.toString();
  // Other bytes than UTF-8 would not stay as they are.
  if (!Buffer.from(text).equals(bytes)) return { bytes, fixes };
  const replace = (start: number, end: number, value: string) => {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const before = lineAt(text, lineStart);
    text = text.slice(0, start) + value + text.slice(end);
    fixes.push({ line: text.slice(0, lineStart).split('\n').length, before, after: lineAt(text, lineStart) });
  };
  if (text.startsWith(mark)) replace(0, mark.length, '');
  for (let count = 0; count < maxFixes; count += 1) {
    const value = findQuotable(text);
    if (value === undefined) break;
    // The front matter begins in the second line.
    const start = text.indexOf('\n') + 1 + value.start;
    const end = start + value.end - value.start;
    replace(start, end, jsonString(text.slice(start, end)));
  }
  return { bytes: Buffer.from(text), fixes };
}

/** The value that quotes would mend; undefined if there is no fault, or another one. */
function findQuotable(text: string): { start: number; end: number } | undefined {
  try {
    readSkillFile(Buffer.from(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidPackageError) || error.entry !== entrypoint) throw error;
    return error.field === null ? undefined : (error.quotable ?? undefined);
  }
}

function lineAt(text: string, start: number): string {
  const feed = text.indexOf('\n', start);
  return text.slice(start, feed < 0 ? text.length : feed).replace(/\r$/, '');
}
