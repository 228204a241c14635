import { type FieldName, fieldNames, plainLines, readLine } from './lines.ts';

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
