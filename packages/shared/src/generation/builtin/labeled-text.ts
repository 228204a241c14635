import { trimWhite } from '@continuity/contract/text';

/** The fields of an Experience, in their order. */
export const fieldNames = ['situation', 'action', 'outcome', 'lesson'] as const;

export type FieldName = (typeof fieldNames)[number];

/** One line of a piece without its marks (spec 40 §2.2). */
type Line =
  | { kind: 'blank' }
  /** Nothing but ASCII punctuation. */
  | { kind: 'punctuation' }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  /** `rest` is the text behind the label; empty for a label that stands alone. */
  | { kind: 'label'; field: FieldName; rest: string };

const marks = /^(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)]|\[[ x]\])\s+)+/;
const onlyPunctuation = /^[!-/:-@[-`{-~\s]+$/;

const labels: Record<FieldName, string> = {
  situation: 'situation|context|problem',
  action: 'actions?|did|changes?',
  outcome: 'outcomes?|results?',
  lesson: 'lessons learned|lessons?|learned|takeaways?',
};

const labelPatterns = fieldNames.map((field) => {
  const name = `(?:${labels[field]})`;
  return {
    field,
    // The colon of a bold label stands inside or outside of the asterisks.
    labeled: new RegExp(
      `^(?:\\*\\*${name}\\*\\*[:\\uFF1A]|\\*\\*${name}[:\\uFF1A]\\*\\*|${name}[:\\uFF1A])(.*)$`,
      'is',
    ),
    alone: new RegExp(`^(?:\\*\\*${name}\\*\\*|${name})$`, 'i'),
  };
});

/** Reads one line of a text. */
function readLine(raw: string): Line {
  const trimmed = trimWhite(raw);
  if (trimmed === '') return { kind: 'blank' };
  const mark = marks.exec(trimmed)?.[0] ?? '';
  const text = trimWhite(trimmed.slice(mark.length));
  if (text === '' || onlyPunctuation.test(text)) return { kind: 'punctuation' };
  const isHeading = mark.includes('#');
  return readLabel(text, isHeading) ?? { kind: isHeading ? 'heading' : 'text', text };
}

/** Whether a line is a heading. A heading that is only a label is one too. */
export function isHeading(raw: string): boolean {
  const mark = marks.exec(trimWhite(raw))?.[0] ?? '';
  return mark.includes('#') && readLine(raw).kind !== 'punctuation';
}

/** The lines of a text without their marks. Omits blank lines and lines of punctuation alone. Labels stay part of their lines. */
export function plainLines(text: string): string[] {
  return text.split('\n').flatMap((raw) => {
    const trimmed = trimWhite(raw);
    const line = trimWhite(trimmed.slice(marks.exec(trimmed)?.[0].length ?? 0));
    return line === '' || onlyPunctuation.test(line) ? [] : [line];
  });
}

function readLabel(text: string, isHeading: boolean): Line | undefined {
  for (const { field, labeled, alone } of labelPatterns) {
    const rest = labeled.exec(text)?.[1];
    if (rest !== undefined) return { kind: 'label', field, rest: trimWhite(rest) };
    if (isHeading && alone.test(text)) return { kind: 'label', field, rest: '' };
  }
  return undefined;
}

/** A text, split by its labels (spec 40 §2.2). */
interface LabeledText {
  fields: FieldLines;
  headings: string[];
  /** The text without its labeled lines. */
  rest: string;
}

/** The lines of each field. */
export type FieldLines = Record<FieldName, string[]>;

/** Fields without lines. */
export function noLines(): FieldLines {
  return { situation: [], action: [], outcome: [], lesson: [] };
}

/** Whether a field has a line. */
export function hasLines(fields: FieldLines): boolean {
  return fieldNames.some((name) => fields[name].length > 0);
}

/**
 * Splits a text by its labels. The text of a label ends at the next label, heading or blank line. Blank lines directly after a label that
 * stands alone do not end it.
 */
export function splitByLabels(text: string): LabeledText {
  const fields = noLines();
  const headings: string[] = [];
  const rest: string[] = [];
  let current: FieldName | null = null;
  let isTextAwaited = false;
  for (const raw of text.split('\n')) {
    const line = readLine(raw);
    const isLabeled: boolean = line.kind === 'label' || (line.kind === 'text' && current !== null);
    rest.push(isLabeled ? '' : raw);
    if (line.kind === 'label') {
      current = line.field;
      isTextAwaited = line.rest === '';
      fields[current].push(...plainLines(line.rest));
    } else if (line.kind === 'text' && current !== null) {
      fields[current].push(line.text);
      isTextAwaited = false;
    } else if (line.kind === 'heading') {
      headings.push(line.text);
      current = null;
    } else if (line.kind === 'blank' && !isTextAwaited) {
      current = null;
    }
  }
  return { fields, headings, rest: rest.join('\n') };
}
