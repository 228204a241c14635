import { trimWhite } from '@continuity/contract/text';
import type { Block, Inline, Item, Line } from './markdown.ts';

/** CRLF, each other control character, and the line and paragraph separators. */
const breaks = /\r\n|[\p{Cc}\u2028\u2029]/gu;

/** Controls of writing direction, which could reorder the text around them. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Replaces a text that is empty after the cleaning. */
const replacement = '\uFFFD';

/**
 * Puts a stored text on one line, and removes control characters and white space at its ends (spec 30 §4.9.2). The result is never
 * empty.
 */
export function cleanText(text: string): string {
  const oneLine = text.replace(breaks, ' ').replace(directionControls, replacement);
  return trimWhite(oneLine) || replacement;
}

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
