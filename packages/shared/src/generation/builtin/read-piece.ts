import type { TaskCheck, TaskOutcome } from '@continuity/contract/work';
import type { Steps } from '@continuity/kernel/fairness';
import { excerptOf, toOneLine } from '@continuity/kernel/text';
import { hasCredential, maskCredentials, plainSentences } from '../../memory/index.ts';
import { normalizeLines, type Piece } from '../piece.ts';
import { type FieldLines, fieldNames, noLines, plainLines, splitByLabels } from './labeled-text.ts';

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
  const { fields, headings, rest } = splitByLabels(maskCredentials(text));
  yield;
  const usable = yield* mapFields((name) => filterUsable(fields[name]));
  const sentences = plainSentences(rest).flatMap(plainLines);
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
    if (!hasCredential(line)) usable.push(line);
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
    if (!hasCredential(item)) items.add(item);
    yield;
  }
  return [...items];
}
