export {
  InvalidPackageError,
  type PackedSkill,
  type PackOptions,
  packSkill,
  SkillChoiceError,
} from '@continuity/skill-packages/pack';
