import { styleText } from 'node:util';
import Table from 'cli-table3';
import { printable, printableJson, printableLine } from './printable.ts';

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
