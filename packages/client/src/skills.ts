export { InvalidPackageError } from '@continuity/skill-packages';
export {
  type PackedSkill,
  type PackOptions,
  packSkill,
  SkillChoiceError,
} from '@continuity/skill-packages/pack';
