import { trimWhite } from '@continuity/contract/text';
import type { TaskCheck, TaskOutcome } from '@continuity/contract/work';
import type { Steps } from '@continuity/kernel/fairness';
import { excerptOf, toOneLine } from '@continuity/kernel/text';
import { hasCredentialOrMask, maskCredentials, plainSentences } from '../../memory/index.ts';
import { normalizeLines, type Piece } from '../piece.ts';

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

/** The lines of one piece of evidence, by their use in the rules (spec 40 §2.2). */
export interface ReadPiece {
  headings: string[];
  fields: FieldLines;
  /** Names of the checks of a Task Outcome, which stand for its outcome in the validation of a Skill; null for other pieces. */
  checks: string[] | null;
  sentences: string[];
  /** Lines that the piece adds to the observed use of a Skill. */
  observations: string[];
}

/** Reads pieces by the rules of their kinds. Leaves out lines that look like a credential. */
export function* readPieces(pieces: readonly Piece[]): Steps<ReadPiece[]> {
  const read: ReadPiece[] = [];
  for (const piece of pieces) read.push(yield* readPiece(piece));
  return read;
}

function* readPiece(piece: Piece): Steps<ReadPiece> {
  if (piece.kind === 'task-outcome') return yield* readOutcome(piece.outcome);
  if (piece.kind === 'experience') {
    const { content } = piece;
    return ofFields(yield* mapFields((name) => usableLines([content[name]])));
  }
  const read = yield* readText(piece.text);
  return piece.kind === 'usage' ? { ...read, observations: yield* usableLines([piece.text]) } : read;
}

function* readText(text: string): Steps<ReadPiece> {
  // Masks before the split, because the lines before a value show whether it is a credential.
  const masked = maskCredentials(text);
  yield;
  const { fields, headings, rest } = splitByLabels(masked);
  yield;
  const usable = yield* mapFields((name) => filterUsable(fields[name]));
  const plain = yield* plainSentences(rest);
  yield;
  const sentences = plain.flatMap(plainLines);
  yield;
  return {
    ...ofFields(usable),
    headings: yield* filterUsable(headings),
    sentences,
    observations: [...usable.outcome, ...usable.lesson, ...sentences],
  };
}

function* readOutcome(outcome: TaskOutcome): Steps<ReadPiece> {
  const { objective, status, summary, observations, checks, remaining_work } = outcome;
  const missed = checks.filter((check) => check.status === 'failed' || check.status === 'timed_out');
  const fields: FieldLines = {
    situation: yield* usableLines([objective]),
    action: yield* usableLines(observations.map(({ text }) => text)),
    outcome: yield* usableLines([`${status}: ${summary}`, ...checks.map(describeCheck)]),
    lesson: yield* usableLines([...missed.map(describeCheck), ...remaining_work]),
  };
  return { ...ofFields(fields), checks: yield* usableLines(checks.map(({ name }) => toOneLine(name))) };
}

/** Describes a check on one line, so that no name or detail reads as another check. */
function describeCheck({ name, status, details }: TaskCheck): string {
  return toOneLine(details === null ? `${name}: ${status}` : `${name}: ${status} (${details})`);
}

function ofFields(fields: FieldLines): ReadPiece {
  const observations = [...fields.outcome, ...fields.lesson];
  return { headings: [], fields, checks: null, sentences: [], observations };
}

function* mapFields(linesOf: (name: keyof FieldLines) => Steps<string[]>): Steps<FieldLines> {
  const fields = noLines();
  for (const name of fieldNames) fields[name] = yield* linesOf(name);
  return fields;
}

function* usableLines(texts: readonly string[]): Steps<string[]> {
  const lines: string[][] = [];
  for (const text of texts) {
    lines.push(yield* filterUsable(plainLines(maskCredentials(normalizeLines(text)))));
  }
  return lines.flat();
}

function* filterUsable(lines: readonly string[]): Steps<string[]> {
  const usable: string[] = [];
  for (const line of lines) {
    if (!hasCredentialOrMask(line)) usable.push(line);
    yield;
  }
  return usable;
}

/** Limit of an item, in code points. */
const maxItem = 300;

/** The first `max` distinct items of a section (spec 40 §2.2). An item is one line. */
export function* toItems(lines: readonly string[], max: number): Steps<string[]> {
  const items = new Set<string>();
  for (const line of lines) {
    if (items.size >= max) break;
    const item = excerptOf(line, maxItem);
    // After the excerpt: a truncated text may look like a credential where the whole one does not.
    if (!hasCredentialOrMask(item)) items.add(item);
    yield;
  }
  return [...items];
}
