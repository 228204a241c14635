import type { TaskCheck, TaskOutcome } from '@continuity/contract/work';
import { toOneLine } from '@continuity/shared/kernel';
import { credentialMark, looksLikeCredential, maskCredentials, plainSentences } from '../../memory/index.ts';
import type { Piece } from '../piece.ts';
import { normalizeLines } from '../text.ts';
import { divideByLabels, type FieldLines, noLines } from './labelled-text.ts';
import { fieldNames, plainLines } from './lines.ts';

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

/** Reads a piece by the rules of its kind. Leaves out lines that look like a credential. */
export function readPiece(piece: Piece): ReadPiece {
  if (piece.kind === 'task-outcome') return readOutcome(piece.outcome);
  if (piece.kind === 'experience') {
    const { content } = piece;
    return ofFields(mapFields((name) => usableLines(content[name])));
  }
  const read = readText(piece.text);
  return piece.kind === 'usage' ? { ...read, observations: usableLines(piece.text) } : read;
}

function readText(text: string): ReadPiece {
  // Before the text is divided, because the lines before a value show whether it is a credential.
  const { fields, headings, rest } = divideByLabels(maskCredentials(text));
  const usable = mapFields((name) => fields[name].filter(isUsable));
  const sentences = plainSentences(rest).flatMap(plainLines);
  return {
    ...ofFields(usable),
    headings: headings.filter(isUsable),
    sentences,
    observations: [...usable.outcome, ...usable.lesson, ...sentences],
  };
}

function readOutcome({ objective, status, summary, observations, checks, remaining_work }: TaskOutcome) {
  const missed = checks.filter((check) => check.status === 'failed' || check.status === 'timed_out');
  const fields: FieldLines = {
    situation: usableLines(objective),
    action: observations.flatMap(({ text }) => usableLines(text)),
    outcome: [`${status}: ${summary}`, ...checks.map(describeCheck)].flatMap(usableLines),
    lesson: [...missed.map(describeCheck), ...remaining_work].flatMap(usableLines),
  };
  return { ...ofFields(fields), checks: checks.map(({ name }) => toOneLine(name)).flatMap(usableLines) };
}

/** Describes a check on one line, so that no name or detail reads as another check. */
function describeCheck({ name, status, details }: TaskCheck): string {
  return toOneLine(details === null ? `${name}: ${status}` : `${name}: ${status} (${details})`);
}

function ofFields(fields: FieldLines): ReadPiece {
  const observations = [...fields.outcome, ...fields.lesson];
  return { headings: [], fields, checks: null, sentences: [], observations };
}

function mapFields(linesOf: (name: keyof FieldLines) => string[]): FieldLines {
  const fields = noLines();
  for (const name of fieldNames) fields[name] = linesOf(name);
  return fields;
}

function usableLines(text: string): string[] {
  return plainLines(maskCredentials(normalizeLines(text))).filter(isUsable);
}

function isUsable(line: string): boolean {
  return !line.includes(credentialMark) && !looksLikeCredential(line);
}
