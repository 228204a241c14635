import {
  countHiddenCharacters,
  drawHiddenCharacters,
  type HiddenCounts,
  hiddenKinds,
  noHiddenCharacters,
} from '@continuity/contract/hidden-characters';
import {
  maxListedComment,
  maxListedComments,
  maxListedKey,
  maxListedKeys,
  maxListedValues,
} from '@continuity/contract/skill-format';
import type { PackageSummary } from '@continuity/contract/skills';
import { codePointLength } from '@continuity/contract/text';
import { entrypoint, type PackageFile, textOf } from './files.ts';
import { type FrontMatter, readFrontMatter } from './skill-file/front-matter.ts';
import { splitSkillFile } from './skill-file/skill-file.ts';

/** Keys that every list of Skills shows. */
const shownKeys = new Set(['name', 'description']);

/**
 * Says what a package installs beyond the fields of its Skill (spec 40 §4.10). Takes up to some seconds for a hostile package. Throws
 * `InvalidPackageError` for an invalid `SKILL.md`.
 */
export function summarizePackage(files: readonly PackageFile[]): PackageSummary {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A package has no SKILL.md.');
  const { front, body } = splitSkillFile(skillFile.bytes);
  const { pairs, comments } = readFrontMatter(front);
  const hidden = countInFrontMatter(front, { pairs, comments });
  const texts = [body];
  let binaryCount = 0;
  for (const { path, bytes } of files) {
    if (path === entrypoint) continue;
    const text = textOf(bytes);
    if (text === null) binaryCount += 1;
    else texts.push(text);
  }
  // As one text, whose emoji are bounded. A space joins nothing that would be hidden or an emoji.
  countHiddenCharacters(texts.join(' '), hidden);
  const listed = pairs.filter(({ key }) => !shownKeys.has(key));
  return {
    file_count: files.length,
    uncompressed_size: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    executable_count: files.filter(({ executable }) => executable).length,
    binary_count: binaryCount,
    front_matter: listPairs(listed.slice(0, maxListedKeys)),
    front_matter_count: listed.length,
    comments: comments.slice(0, maxListedComments).map((comment) => drawnAndCut(comment, maxListedComment)),
    comment_count: comments.length,
    hidden_characters: hidden,
  };
}

/** Of each kind, those that the text holds, or those that its values and comments hold, because an escape of YAML can write some. */
function countInFrontMatter(front: string, { pairs, comments }: FrontMatter): HiddenCounts {
  const written = countHiddenCharacters(front);
  const read = noHiddenCharacters();
  for (const { key, value } of pairs) countHiddenCharacters(value, countHiddenCharacters(key, read));
  for (const comment of comments) countHiddenCharacters(comment, read);
  for (const kind of hiddenKinds) read[kind] = Math.max(read[kind], written[kind]);
  return read;
}

/** Cuts the longest values to one common length, so that a short one stays whole beside them. */
function listPairs(pairs: FrontMatter['pairs']): PackageSummary['front_matter'] {
  const drawn = pairs.map(({ key, value }) => ({ key, value: drawHiddenCharacters(value) }));
  let left = maxListedValues;
  let longest = 0;
  const lengths = drawn.map(({ value }) => codePointLength(value)).sort((one, other) => one - other);
  for (const [index, length] of lengths.entries()) {
    longest = Math.min(length, Math.floor(left / (lengths.length - index)));
    left -= longest;
  }
  return drawn.map(({ key, value }) => ({ key: drawnAndCut(key, maxListedKey), value: cut(value, longest) }));
}

function drawnAndCut(text: string, limit: number): string {
  return cut(drawHiddenCharacters(text), limit);
}

function cut(text: string, limit: number): string {
  return codePointLength(text) <= limit
    ? text
    : `${[...text.slice(0, 2 * limit)].slice(0, limit - 1).join('')}…`;
}
