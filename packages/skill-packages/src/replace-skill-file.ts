import { entrypoint, type PackageFile } from './files.ts';
import { admitTree, type SkillPackage } from './package.ts';
import { renameSkillFile } from './skill-file/rename-skill-file.ts';

/** Returns the package of a tree with another `SKILL.md`; all other files and their modes stay. Throws `PackageRefusal` for a broken bound. */
export function replaceSkillFile(files: readonly PackageFile[], text: string): SkillPackage {
  const bytes = Buffer.from(text);
  return admitTree(files.map((file) => (file.path === entrypoint ? { ...file, bytes } : file)));
}

/** Returns the package of a tree under another name, which is a slug. Throws `PackageRefusal` for a broken bound. */
export function renamePackage(files: readonly PackageFile[], name: string): SkillPackage {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A package without its SKILL.md cannot be renamed.');
  return replaceSkillFile(files, renameSkillFile(skillFile.bytes.toString(), name));
}
