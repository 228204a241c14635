import { admitTree, entrypoint, type PackageFile, type SkillPackage } from '@continuity/skill-packages';

/** The package of a tree with another `SKILL.md`; all other files and their modes stay. Throws `PackageRefusal` for a broken bound. */
export function replaceSkillFile(files: readonly PackageFile[], text: string): SkillPackage {
  const bytes = Buffer.from(text);
  return admitTree(files.map((file) => (file.path === entrypoint ? { ...file, bytes } : file)));
}
