import {
  maxPackageBytes,
  maxSkillFileBytes,
  maxStandardDescription,
  maxStandardName,
} from '@continuity/contract/skills';
import { trimWhite, trimWhiteEnd } from '@continuity/contract/text';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { hashHex } from '@continuity/kernel/json';
import { firstCodePoints, toOneLine, truncateMarkRuns, utf8Length } from '@continuity/kernel/text';
import { buildPackage, entrypoint, replaceSkillFile, type SkillPackage } from '@continuity/skill-packages';
import type { Piece } from '../piece.ts';
import type { SkillGenerator } from '../port.ts';
import { hasLines, isHeading, plainLines, type ReadPiece, readPieces, toItems } from './read-piece.ts';

/** The rules of spec 40 §2.2: no model, no network. */
export function createBuiltinSkillGenerator(): SkillGenerator {
  return {
    generate: async ({ origin, pieces, target }) => {
      if (target !== null) return await extendPackage(pieces, target);
      return await newPackage(pieces, origin === 'experience' ? 'experience' : 'source');
    },
    fork: ({ snapshot, rename }) => rename(forkName(snapshot.fields.name)),
  };
}

async function newPackage(pieces: readonly Piece[], origin: NewSkillOrigin): Promise<SkillPackage | null> {
  const skill = await runInSlices(extractSkill(pieces, origin));
  if (skill === null) return null;
  const { validation, ...said } = skill;
  const fields = { ...said, license: null, compatibility: null, metadata: {}, allowed_tools: null };
  return buildPackage(fields, validation);
}

async function extendPackage(
  pieces: readonly Piece[],
  { files, ref, fields }: SkillPackage,
): Promise<SkillPackage | null> {
  const skillFile = files.find(({ path }) => path === entrypoint)?.bytes ?? Buffer.alloc(0);
  const room = maxPackageBytes - ref.uncompressed_size;
  const extended = await runInSlices(
    addObservedUse(pieces, {
      skillFile: skillFile.toString(),
      instructions: fields.instructions,
      maxBytes: Math.min(maxSkillFileBytes, skillFile.length + room),
    }),
  );
  return extended === null ? null : replaceSkillFile(files, extended);
}

const forkSuffix = '-fork';

/** Returns `<name>-fork`. Truncates `<name>` to the limit of the standard, without a hyphen at its end (spec 40 §7.4). */
function forkName(name: string): string {
  return name.slice(0, maxStandardName - forkSuffix.length).replace(/-$/, '') + forkSuffix;
}

/** Why a Skill is generated (spec 40 §6.2). `usage` adds to a target, see `addObservedUse`. */
export type NewSkillOrigin = 'experience' | 'source';

/** The fields of a Skill that generators write. */
interface GeneratedSkill {
  name: string;
  description: string;
  instructions: string;
  validation: string[];
}

const maxNameWords = 6;
const maxNameLength = 64;
const withoutError = 'The steps end without an error.';

/**
 * Writes a Skill without a target from evidence by rules alone (spec 40 §2.2): a pure function. Null if the evidence says nothing.
 */
export function* extractSkill(
  pieces: readonly Piece[],
  origin: NewSkillOrigin,
): Steps<GeneratedSkill | null> {
  const read = yield* readPieces(pieces);
  if (!read.some(({ fields, sentences }) => sentences.length > 0 || hasLines(fields))) return null;
  const subjects = subjectsOf(read, origin);
  const sentences = yield* partitionChecks(read);
  const instructions = yield* instructionsOf(read, sentences);
  return {
    name: nameOf(subjects) ?? `skill-${hashHex(instructions).slice(0, 8)}`,
    description: descriptionOf(subjects),
    instructions,
    validation: yield* validationOf(read, sentences),
  };
}

/** The texts that may name the Skill, the best one first. */
function subjectsOf(read: readonly ReadPiece[], origin: NewSkillOrigin): string[] {
  const first = (linesOf: (piece: ReadPiece) => string[]) =>
    read.flatMap((piece) => linesOf(piece).slice(0, 1)).slice(0, 1);
  const situation = first(({ fields }) => fields.situation);
  if (origin === 'experience') return situation;
  return [
    ...first(({ headings }) => headings),
    ...situation,
    ...first(({ sentences }) => sentences),
    ...first(({ fields }) => fields.action),
    ...first(({ fields }) => fields.outcome),
    ...first(({ fields }) => fields.lesson),
  ];
}

function nameOf(subjects: readonly string[]): string | undefined {
  return subjects.map(slugOf).find((slug) => slug !== '');
}

/** The first words of a text that fit, in lower case and joined by hyphens; empty without a word of ASCII letters or digits. */
function slugOf(text: string): string {
  const words =
    truncateMarkRuns(text)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let slug = (words[0] ?? '').slice(0, maxNameLength);
  for (const word of words.slice(1, maxNameWords)) {
    if (slug.length + 1 + word.length > maxNameLength) break;
    slug += `-${word}`;
  }
  return slug;
}

function descriptionOf(subjects: readonly string[]): string {
  const subject = subjects.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const line = toOneLine(subject.replace(/[<>]/g, ''));
  return trimWhite(firstCodePoints(`Use when: ${line}`, maxStandardDescription));
}

function* instructionsOf(
  read: readonly ReadPiece[],
  { checks, others }: PartitionedSentences,
): Steps<string> {
  const steps = [...read.flatMap(({ fields }) => fields.action), ...others];
  const sections = [
    { title: 'When', lines: read.flatMap(({ fields }) => fields.situation), max: 16, isNumbered: false },
    { title: 'Steps', lines: steps.length > 0 ? steps : checks, max: 32, isNumbered: true },
    { title: 'Lessons', lines: read.flatMap(({ fields }) => fields.lesson), max: 16, isNumbered: false },
  ];
  const written: string[] = [];
  for (const { title, lines, max, isNumbered } of sections) {
    const items = yield* toItems(lines, max);
    const list = items.map((item, index) => `${isNumbered ? `${index + 1}.` : '-'} ${item}`);
    if (list.length > 0) written.push(`## ${title}\n\n${list.join('\n')}`);
  }
  return written.join('\n\n');
}

function* validationOf(read: readonly ReadPiece[], sentences: PartitionedSentences): Steps<string[]> {
  const outcomes = read.flatMap(({ checks, fields }) => checks ?? fields.outcome);
  const items = yield* toItems([...outcomes, ...sentences.checks], 32);
  return items.length > 0 ? items : [withoutError];
}

const checkCue = /^(?:verify|check|ensure|confirm|validate|make sure)(?![\p{L}\p{N}_])/iu;

/** The sentences of all pieces, in order. */
interface PartitionedSentences {
  checks: string[];
  others: string[];
}

function* partitionChecks(read: readonly ReadPiece[]): Steps<PartitionedSentences> {
  const checks: string[] = [];
  const others: string[] = [];
  for (const { sentences } of read) {
    for (const sentence of sentences) (isCheck(sentence) ? checks : others).push(sentence);
    yield;
  }
  return { checks, others };
}

/** Whether a sentence is a check: it begins with a verb such as verify or ensure (spec 40 §2.2). */
function isCheck(sentence: string): boolean {
  return checkCue.test(sentence);
}

const heading = '## Observed use';
const maxItems = 32;

/** A Skill to extend by evidence of its use. */
interface UsedSkill {
  /** Text of `SKILL.md`. */
  skillFile: string;
  /** The instructions in it, without the front matter. */
  instructions: string;
  /** Limit of the extended `SKILL.md`, in bytes. */
  maxBytes: number;
}

/**
 * Adds observations from evidence to a `SKILL.md`, by rules alone (spec 40 §2.2): a pure function. It keeps all bytes except white
 * space at the end. Null if there is nothing to add, or no room.
 */
export function* addObservedUse(
  pieces: readonly Piece[],
  { skillFile, instructions, maxBytes }: UsedSkill,
): Steps<string | null> {
  const known = new Set(plainLines(instructions));
  const observations = (yield* readPieces(pieces)).flatMap((piece) => piece.observations);
  const items = (yield* toItems(observations, Number.POSITIVE_INFINITY)).filter((item) => !known.has(item));
  const start = trimWhiteEnd(skillFile) + (endsInObservedUse(instructions) ? '\n' : `\n\n${heading}\n\n`);
  const lines: string[] = [];
  let bytes = utf8Length(start);
  for (const item of items) {
    const line = `- ${item}\n`;
    if (lines.length === maxItems) break;
    const lineBytes = utf8Length(line);
    if (bytes + lineBytes > maxBytes) continue;
    lines.push(line);
    bytes += lineBytes;
  }
  return lines.length === 0 ? null : start + lines.join('');
}

/** Whether the last heading of the instructions is that of observed use. */
function endsInObservedUse(instructions: string): boolean {
  const last = instructions.split('\n').findLast(isHeading);
  return last !== undefined && trimWhite(last) === heading;
}
