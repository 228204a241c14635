import { drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import { type PackageField, packageFields } from '@continuity/contract/skill-format';

/** A range of a text, from its first unit to the one after its last. */
export interface TextRange {
  start: number;
  end: number;
}

/** A value that YAML does not read as its author means it. */
export interface ValueFault {
  /** What is wrong and what to do, as sentences that begin with the key. */
  message: string;
  /** The field of `SKILL.md` that the value belongs to; null for another key. */
  field: PackageField | null;
  /** Where the value is in the front matter. Double quotes around it mend the fault. */
  value: TextRange;
}

/** Characters of a key or value that a message shows at most. */
const maxShown = 40;

/** A key and a value on one line. The key may be quoted. */
const linePair = /^[ \t]*(?:"([^"]+)"|([^\s"'#:][^:]*?))[ \t]*:[ \t]+(\S.*)$/;
const topKey = /^([^\s#:][^:]*?)[ \t]*:(?:[ \t\r]|$)/;
const blockHeader = /^[|>][-+1-9]*[ \t]*(?:#.*)?$/;
const indented = /^[ \t]+\S/;

/**
 * Finds what is wrong with the value that a parser has stumbled over at an index of a front matter: with the value of that line, or with
 * the nearest one before it, as an open quote or bracket is noticed far behind it. Undefined if no value of one line is the cause.
 */
export function explainValue(front: string, index: number): ValueFault | undefined {
  const lines = linesUntil(front, index);
  for (const line of lines.toReversed()) {
    const pair = pairOf(front, line);
    const problem = pair === undefined ? undefined : findValueProblem(pair.value);
    if (pair === undefined || problem === undefined) continue;
    if (line !== lines.at(-1) && !isOpen(pair.value)) continue;
    return {
      message: `\`${shorten(pair.key)}\` ${problem}. Put the value in double quotes.`,
      field: fieldAt(lines, front, line),
      value: pair.range,
    };
  }
  return undefined;
}

/** A key or value for a message: at most 40 characters, with hidden ones drawn as codes. */
export function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * maxShown + 2)];
  const cut = characters.length <= maxShown ? text : `${characters.slice(0, maxShown - 1).join('')}…`;
  return drawHiddenCharacters(cut);
}

/** Whether the line at an index is indented by a tab. */
export function isIndentedByTab(front: string, index: number): boolean {
  const start = front.lastIndexOf('\n', index - 1) + 1;
  return /^ *\t[ \t]*\S/.test(front.slice(start).split('\n', 1)[0] ?? '');
}

/** Lines, without line breaks, up to the one that holds an index. */
function linesUntil(front: string, index: number): TextRange[] {
  const lines: TextRange[] = [];
  for (let start = 0; start <= index && start < front.length; ) {
    const feed = front.indexOf('\n', start);
    const next = feed < 0 ? front.length : feed;
    const end = front.charAt(next - 1) === '\r' ? next - 1 : next;
    lines.push({ start, end: Math.max(start, end) });
    start = next + 1;
  }
  return lines;
}

function pairOf(
  front: string,
  { start, end }: TextRange,
): { key: string; value: string; range: TextRange } | undefined {
  const found = linePair.exec(front.slice(start, end));
  // A value that goes on in the next line is not one of one line.
  const feed = front.indexOf('\n', end);
  if (
    found === null ||
    (feed >= 0 && indented.test(front.slice(feed + 1, front.indexOf('\n', feed + 1) + 1)))
  ) {
    return undefined;
  }
  const value = (found[3] ?? '').trimEnd();
  const valueStart = end - (found[3] ?? '').length;
  return {
    key: found[1] ?? found[2] ?? '',
    value,
    range: { start: valueStart, end: valueStart + value.length },
  };
}

function findValueProblem(value: string): string | undefined {
  const [first = ''] = value;
  if (first === '`') return 'begins with a backtick';
  if ('@*&!%[{'.includes(first)) return `begins with \`${first}\``;
  if ('|>'.includes(first)) return blockHeader.test(value) ? undefined : `begins with \`${first}\``;
  if (/^[-?](?:\s|$)/.test(value)) return `begins with \`${first}\` and a blank`;
  if (first === '"' || first === "'") {
    return value.indexOf(first, 1) < 0
      ? 'has a quote that nothing closes'
      : 'has text after its closing quote';
  }
  if (/:[ \t]/.test(value)) return 'has a colon and a blank';
  return value.endsWith(':') ? 'ends with a colon' : undefined;
}

/** Whether a value opens a quote or bracket that it does not close. */
function isOpen(value: string): boolean {
  const [first = ''] = value;
  if (first === '"' || first === "'") return value.indexOf(first, 1) < 0;
  const close = { '[': ']', '{': '}' }[first];
  return close !== undefined && !value.includes(close);
}

/** The field that a line belongs to: that of the last key without indentation. */
function fieldAt(lines: readonly TextRange[], front: string, line: TextRange): PackageField | null {
  for (const { start, end } of lines.slice(0, lines.indexOf(line) + 1).toReversed()) {
    const key = topKey.exec(front.slice(start, end))?.[1]?.replace(/^"(.*)"$/, '$1');
    if (key !== undefined) return packageFields.find((field) => field === key) ?? null;
  }
  return null;
}
