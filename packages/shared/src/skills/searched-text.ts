import { isUtf8 } from 'node:buffer';
import { entrypoint, type PackageFile } from './packages/files.ts';
import type { SkillPackage } from './packages/package.ts';

/** Of a longer file nothing is searched, in bytes (spec 40 §6.4). */
const maxSearchedFile = 131_072;

const reference = /^references\/.*\.(md|txt)$/s;

/**
 * What a search for words looks at (spec 40 §6.4): what the package says, its paths, and the text of `SKILL.md`, which holds
 * the instructions, and of its references. Scripts and assets are data.
 */
export function searchedText({ says, files }: Pick<SkillPackage, 'says' | 'files'>): string {
  const { name, description, license, compatibility, metadata, allowed_tools } = says;
  return [
    name,
    description,
    license,
    compatibility,
    allowed_tools,
    ...Object.entries(metadata).flat(),
    ...files.map(({ path }) => path),
    ...files.filter(isSearched).map(({ bytes }) => bytes.toString()),
  ].join('\n');
}

function isSearched({ path, bytes }: PackageFile): boolean {
  return (path === entrypoint || reference.test(path)) && bytes.length <= maxSearchedFile && isUtf8(bytes);
}
