import type { ExperienceContent } from '@continuity/contract/experience';
import { trimWhiteEnd } from '@continuity/contract/text';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { firstCodePoints } from '@continuity/kernel/text';
import type { Piece } from '../piece.ts';
import type { ExperienceGenerator, IncubatedExperience } from '../port.ts';
import {
  type FieldLines,
  type FieldName,
  fieldNames,
  hasLines,
  plainLines,
  type ReadPiece,
  readPieces,
} from './read-piece.ts';

/** The rules of spec 40 §2.2: no model, no network. */
export function createBuiltinExperienceGenerator(): ExperienceGenerator {
  return {
    generate: ({ pieces, target }) => runInSlices(extractExperience(pieces, target)),
    incubate: async ({ pieces }) => {
      const experiences: IncubatedExperience[] = [];
      for (const [index, piece] of pieces.entries()) {
        const content = await runInSlices(extractExperience([piece], null));
        if (content !== null) experiences.push({ content, evidence: [index] });
      }
      return experiences;
    },
  };
}

/** Limit of a field, in code points. */
const maxField = 8_000;

/**
 * Writes an Experience from evidence by rules alone (spec 40 §2.2): a pure function, so that equal evidence gives an equal
 * Experience on every host. Each field begins with that of the target. Null if the evidence says nothing, or nothing new.
 */
export function* extractExperience(
  pieces: readonly Piece[],
  target: ExperienceContent | null,
): Steps<ExperienceContent | null> {
  const read = yield* readPieces(pieces);
  const lessons = yield* lastLessons(read);
  const sentences = read.flatMap((piece) => piece.sentences);
  if (sentences.length === 0 && !read.some(({ fields }) => hasLines(fields))) return null;
  yield;
  const said = linesOf(read, lessons);
  yield;
  const lines = target === null ? fillFromSentences(said, sentences, lessons.flat().slice(-1)) : said;
  yield;
  const content = fillFromFields({
    situation: extend(target?.situation ?? '', lines.situation),
    action: extend(target?.action ?? '', lines.action),
    outcome: extend(target?.outcome ?? '', lines.outcome),
    lesson: extend(target?.lesson ?? '', lines.lesson),
  });
  const isNew = target === null || fieldNames.some((name) => content[name] !== target[name]);
  return isNew ? content : null;
}

/** The lines of all pieces. Prose without labels adds its last sentence to the outcome, and its last lesson to the lessons. */
function linesOf(read: readonly ReadPiece[], lessons: readonly string[][]): FieldLines {
  const all = (name: FieldName) => read.flatMap(({ fields }) => fields[name]);
  const isProse = ({ fields }: ReadPiece) => !hasLines(fields);
  return {
    situation: all('situation'),
    action: all('action'),
    outcome: [...all('outcome'), ...read.filter(isProse).flatMap(({ sentences }) => sentences.slice(-1))],
    lesson: [
      ...all('lesson'),
      ...read.flatMap((piece, index) => (isProse(piece) ? (lessons[index] ?? []) : [])),
    ],
  };
}

function fillFromSentences(lines: FieldLines, sentences: readonly string[], lesson: string[]): FieldLines {
  const first = sentences.slice(0, 1);
  const between = sentences.slice(1, -1);
  const filled = (name: FieldName, otherwise: string[]) => (lines[name].length > 0 ? lines[name] : otherwise);
  return {
    situation: filled('situation', first),
    action: filled('action', between.length > 0 ? between : first),
    outcome: filled('outcome', sentences.slice(-1)),
    lesson: filled('lesson', lesson),
  };
}

const lessonCue =
  /(?<![\p{L}\p{N}_])(?:must|should|always|never|before|after|instead|because|avoid)(?![\p{L}\p{N}_])|必须|应该|不要|避免|因为/iu;

/** Whether a sentence has a cue of a lesson (spec 40 §2.2). */
function hasLessonCue(sentence: string): boolean {
  return lessonCue.test(sentence);
}

/** The last lesson among the sentences of each piece; an empty array for a piece without one. */
function* lastLessons(read: readonly ReadPiece[]): Steps<string[][]> {
  const lessons: string[][] = [];
  for (const { sentences } of read) {
    const last = sentences.findLast(hasLessonCue);
    lessons.push(last === undefined ? [] : [last]);
    yield;
  }
  return lessons;
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
  const added = new Set<string>();
  let length = 0;
  for (const line of lines) {
    // Two UTF-16 units a code point at most: further lines are beyond the limit.
    if (length > 2 * maxField) break;
    if (known.has(line) || added.has(line)) continue;
    added.add(line);
    length += line.length;
  }
  const extended = firstCodePoints([...(text === '' ? [] : [text]), ...added].join('\n'), maxField);
  return extended === text ? text : trimWhiteEnd(extended);
}
