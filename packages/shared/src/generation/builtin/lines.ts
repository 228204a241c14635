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
export function readLine(raw: string): Line {
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
