import { isUtf8 } from 'node:buffer';
import { maxSkillFileBytes } from '@continuity/contract/skill-format';
import { invalidEntrypoint, parseFrontMatter } from './front-matter.ts';
import { readFields, readSummary, type SkillSummary } from './read-fields.ts';
import { instructionsOf, type SkillFields } from './skill-fields.ts';

const fence = /^---[ \t]*\r?$/;

/** Reads a `SKILL.md` (spec 40 §5.3). Throws `invalid_entrypoint`. */
export function readSkillFile(bytes: Buffer): SkillFields {
  const { front, body } = splitSkillFile(bytes);
  return { ...readFields(parseFrontMatter(front)), instructions: instructionsOf(body) };
}

/** Reads what names and describes an External Skill (spec 40 §7): less strict than `readSkillFile`. Throws `invalid_entrypoint`. */
export function readSkillSummary(bytes: Buffer): SkillSummary {
  return readSummary(parseFrontMatter(splitSkillFile(bytes).front));
}

function splitSkillFile(bytes: Buffer): { front: string; body: string } {
  if (bytes.length === 0 || bytes.length > maxSkillFileBytes) {
    throw invalidEntrypoint(`must have 1 to ${maxSkillFileBytes} bytes`);
  }
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes) || text.startsWith('\uFEFF') || text.includes('\0')) {
    throw invalidEntrypoint('must be UTF-8 without byte-order mark and NUL');
  }
  return splitAtFences(text);
}

/** Splits a text into its front matter and what follows. Throws `invalid_entrypoint` without front matter. */
export function splitAtFences(text: string): { front: string; body: string } {
  const start = endOfLine(text, 0);
  if (!fence.test(lineAt(text, 0))) throw invalidEntrypoint('must begin with a line ---');
  for (let at = start; at < text.length; at = endOfLine(text, at)) {
    if (fence.test(lineAt(text, at))) {
      return { front: text.slice(start, at), body: text.slice(endOfLine(text, at)) };
    }
  }
  throw invalidEntrypoint('has front matter without a line --- at its end');
}

/** The line that begins at an index, without its line feed. */
function lineAt(text: string, start: number): string {
  const feed = text.indexOf('\n', start);
  return text.slice(start, feed < 0 ? text.length : feed);
}

/** Index of the next line. */
function endOfLine(text: string, start: number): number {
  const feed = text.indexOf('\n', start);
  return feed < 0 ? text.length : feed + 1;
}
