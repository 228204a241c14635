export { InvalidPackageError } from '../invalid-package-error.ts';
export { type PackedSkill, type PackOptions, packSkill, SkillChoiceError } from './pack-skill.ts';
