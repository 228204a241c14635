export { type PackedSkill, type PackOptions, packSkill, SkillChoiceError } from './pack-skill.ts';
