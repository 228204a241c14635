import { entrypoint, type PackageFile } from './files.ts';
import { admitTree, type SkillPackage } from './package.ts';
import { renameSkillFile } from './skill-file/rename-skill-file.ts';

/** Replaces the `SKILL.md` of a tree and returns its package. Throws `InvalidPackageError` if the tree breaks a bound. */
export function replaceSkillFile(files: readonly PackageFile[], text: string): SkillPackage {
  const bytes = Buffer.from(text);
  const replaced = files.map((file) => (file.path === entrypoint ? { ...file, bytes } : file));
  // The other files come from a package that was admitted.
  return admitTree(replaced, { admission: 'stored' });
}

/** Renames the Skill of a tree and returns its package. `name` is a slug. Throws `InvalidPackageError` if the tree breaks a bound. */
export function renamePackage(files: readonly PackageFile[], name: string): SkillPackage {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A package without its SKILL.md cannot be renamed.');
  return replaceSkillFile(files, renameSkillFile(skillFile.bytes.toString(), name));
}
