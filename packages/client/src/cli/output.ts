import { styleText } from 'node:util';
import { splitHiddenCharacters } from '@continuity/contract/hidden-characters';
import Table from 'cli-table3';

type Style = Parameters<typeof styleText>[0];

/** Columns of stored prose, and the longest one that is shown in a row. Ids, paths and advice are useless if they are cut. */
const proseColumns = ['TEXT', 'TITLE', 'DESCRIPTION'];
const maxProseLength = 100;

/** Writes results to standard output, and everything else to standard error. */
export class Output {
  readonly isJson: boolean;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  json(value: unknown): void {
    process.stdout.write(`${printableJson(value)}\n`);
  }

  text(text: string): void {
    process.stdout.write(`${printable(text)}\n`);
  }

  /** Stored text may hold anything, so each cell is one line without controls. */
  table(head: string[], rows: string[][]): void {
    const table = new Table({
      head: head.map((name) => paint('bold', name, process.stdout)),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
      chars: noBorders,
    });
    const limits = head.map((name) => (proseColumns.includes(name) ? maxProseLength : undefined));
    table.push(...rows.map((row) => row.map((cell, column) => printableLine(cell, limits[column]))));
    process.stdout.write(`${table.toString().replace(/ +$/gm, '')}\n`);
  }

  /** A line for people about what happens. */
  note(text: string): void {
    process.stderr.write(`${printable(text)}\n`);
  }

  /** A line that the next one replaces. Only a terminal gets it. */
  progress(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${printableLine(text)}`);
  }

  endProgress(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }

  error(text: string): void {
    process.stderr.write(`${paint('red', 'error:', process.stderr)} ${printable(text)}\n`);
  }

  errorJson(value: unknown): void {
    process.stderr.write(`${printableJson(value)}\n`);
  }
}

/** Color on a terminal, unless `NO_COLOR` is set. */
function paint(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream, validateStream: true });
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .map((name) => [name, '']),
);

/** Controls of terminals (C0, DEL, C1) but tab and line feed, and controls of writing direction. */
const controls = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Stored text for a terminal: controls become visible escapes, so that no text moves the cursor or hides itself. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(controls, toEscape);
}

/** The same on one line, cut to `limit` characters. */
export function printableLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = [
    ...printable(text)
      .replace(/[\s\u2028\u2029]+/g, ' ')
      .trim(),
  ];
  return line.length <= limit ? line.join('') : `${line.slice(0, limit - 1).join('')}…`;
}

/** JSON in which every hidden character is an escape. It parses to the same value. */
export function printableJson(value: unknown): string {
  let drawn = '';
  for (const part of splitHiddenCharacters(JSON.stringify(value, null, 2))) {
    drawn += part.hidden ? part.text.replace(/./gs, toEscape) : part.text;
  }
  return drawn;
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
