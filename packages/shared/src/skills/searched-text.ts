import { isUtf8 } from 'node:buffer';
import { entrypoint, type PackageFile, type SkillPackage } from '@continuity/skill-packages';

/** Limits of the searched files of a package, in bytes: of one file, and of all (spec 40 §6.4). */
const maxSearchedFile = 131_072;
const maxSearchedFiles = 262_144;

const reference = /^references\/.*\.(md|txt)$/s;

/**
 * Returns the text of a Skill that lexical search reads (spec 40 §6.4): the fields and paths of the package, and the text of
 * `SKILL.md`, which has the instructions, and of the references. Scripts and assets are not searched.
 */
export function searchedText({ fields, files }: Pick<SkillPackage, 'fields' | 'files'>): string {
  const { name, description, license, compatibility, metadata, allowed_tools } = fields;
  return [
    name,
    description,
    license,
    compatibility,
    allowed_tools,
    ...Object.entries(metadata).flat(),
    ...files.map(({ path }) => path),
    ...searchedFiles(files).map(({ bytes }) => bytes.toString()),
  ].join('\n');
}

/** The files that are searched, in canonical order. One that would take them over their limit is left out. */
function searchedFiles(files: readonly PackageFile[]): PackageFile[] {
  let size = 0;
  return files.filter((file) => {
    if (!isSearched(file) || size + file.bytes.length > maxSearchedFiles) return false;
    size += file.bytes.length;
    return true;
  });
}

function isSearched({ path, bytes }: PackageFile): boolean {
  return (path === entrypoint || reference.test(path)) && bytes.length <= maxSearchedFile && isUtf8(bytes);
}
