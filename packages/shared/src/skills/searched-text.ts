import { isUtf8 } from 'node:buffer';
import { entrypoint, type PackageFile, type SkillPackage } from '@continuity/skill-packages';

/** Search ignores a file with more bytes (spec 40 §6.4). */
const maxSearchedFile = 131_072;

const reference = /^references\/.*\.(md|txt)$/s;

/**
 * Returns the text of a Skill that lexical search reads (spec 40 §6.4): the fields and paths of the package, and the text of
 * `SKILL.md` and of the references. Scripts and assets are not searched.
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
