import type { ExperienceContent } from '@continuity/contract/experience';
import { trimWhiteEnd } from '@continuity/contract/text';
import { firstCodePoints } from '@continuity/shared/kernel';
import type { Piece } from '../piece.ts';
import { hasLessonCue } from './cues.ts';
import { type FieldLines, hasLines, noLines } from './labelled-text.ts';
import { fieldNames, plainLines } from './lines.ts';
import { type ReadPiece, readPiece } from './read-piece.ts';

/** Limit of a field, in code points. */
const maxField = 8_000;

/**
 * Writes an Experience from evidence by rules alone (spec 40 §2.2): a pure function, so that equal evidence gives an equal
 * Experience on every host. Each field begins with that of the target. Null if the evidence says nothing, or nothing new.
 */
export function extractExperience(
  pieces: readonly Piece[],
  target: ExperienceContent | null,
): ExperienceContent | null {
  const read = pieces.map(readPiece);
  const sentences = read.flatMap((piece) => piece.sentences);
  if (sentences.length === 0 && !read.some(({ fields }) => hasLines(fields))) return null;
  const lines = linesOf(read);
  fillFromSentences(lines, sentences, target);
  const content = fillFromFields({
    situation: extend(target?.situation ?? '', lines.situation),
    action: extend(target?.action ?? '', lines.action),
    outcome: extend(target?.outcome ?? '', lines.outcome),
    lesson: extend(target?.lesson ?? '', lines.lesson),
  });
  const isNew = target === null || fieldNames.some((name) => content[name] !== target[name]);
  return isNew ? content : null;
}

/** The lines of all pieces, and then what prose without labels says of its end. */
function linesOf(read: readonly ReadPiece[]): FieldLines {
  const lines = noLines();
  for (const { fields } of read) {
    for (const name of fieldNames) lines[name].push(...fields[name]);
  }
  for (const { fields, sentences } of read) {
    if (hasLines(fields)) continue;
    lines.outcome.push(...sentences.slice(-1));
    lines.lesson.push(...sentences.filter(hasLessonCue).slice(-1));
  }
  return lines;
}

function fillFromSentences(lines: FieldLines, sentences: string[], target: ExperienceContent | null): void {
  if (target !== null) return;
  const first = sentences.slice(0, 1);
  const between = sentences.slice(1, -1);
  if (lines.situation.length === 0) lines.situation.push(...first);
  if (lines.action.length === 0) lines.action.push(...(between.length > 0 ? between : first));
  if (lines.outcome.length === 0) lines.outcome.push(...sentences.slice(-1));
  if (lines.lesson.length === 0) lines.lesson.push(...sentences.filter(hasLessonCue).slice(-1));
}

function fillFromFields(content: ExperienceContent): ExperienceContent {
  const { situation, action, outcome, lesson } = content;
  const known = [situation, action, outcome, lesson].find((text) => text !== '') ?? '';
  const result = outcome || known;
  const [firstLine = ''] = result.split('\n');
  return {
    situation: situation || known,
    action: action || known,
    outcome: result,
    lesson: lesson || trimWhiteEnd(firstCodePoints(`Observed: ${firstLine}`, maxField)),
  };
}

/** Adds the lines that a text does not have, up to the limit of a field. */
function extend(text: string, lines: readonly string[]): string {
  const known = new Set(plainLines(text));
  const added = [...new Set(lines)].filter((line) => !known.has(line));
  const extended = firstCodePoints([...(text === '' ? [] : [text]), ...added].join('\n'), maxField);
  return extended === text ? text : trimWhiteEnd(extended);
}
