import { cleanText } from './clean-text.ts';
import type { Block, Inline, Item, Line } from './nodes.ts';

/** Words of the template, the same for every report. */
export function words(text: string): Inline {
  return { kind: 'words', text };
}

/** `T(x)`: stored text. */
export function stored(text: string): Inline {
  return { kind: 'text', text: cleanText(text) };
}

/** `C(x)`: a code span. */
export function code(text: string): Inline {
  return { kind: 'code', text: cleanText(text) };
}

/** Puts a separator between lines, and leaves out those that are empty. */
export function joinLines(lines: readonly Line[], separator: string): Line {
  const shown = lines.filter((line) => line.length > 0);
  return shown.flatMap((line, index) => (index === 0 ? line : [words(separator), ...line]));
}

/** `label: values`, with a space between the values; empty if there is no value (spec 30 §4.9.8). */
export function labeled(label: string, ...values: readonly (Inline | null)[]): Line {
  const shown = values.filter((value) => value !== null);
  return shown.length === 0 ? [] : [words(`${label}: `), ...spaced(...shown)];
}

/** Values side by side, without those that are null. */
export function spaced(...values: readonly (Inline | null)[]): Line {
  return joinLines(
    values.filter((value) => value !== null).map((value) => [value]),
    ' ',
  );
}

/** A line, followed by `: text` if there is a text. */
export function titled(line: Line, text: string | null): Line {
  return text === null ? line : [...line, words(': '), stored(text)];
}

/** `T(title) (C(id))` */
export function named(title: string, id: string): Line {
  return [stored(title), words(' ('), code(id), words(')')];
}

/** A heading without an anchor. */
export function heading(level: 1 | 2 | 3 | 4, ...line: Inline[]): Block {
  return { kind: 'heading', level, line };
}

/** An item, with a nested list of the lines that are not empty. */
export function item(line: Line, ...nested: Line[]): Item {
  return { line, nested: nested.filter((one) => one.length > 0) };
}

/** Capitalizes a label that begins a line. */
export function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
