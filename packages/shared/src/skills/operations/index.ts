export { type SkillDeps, skillHandlers } from './handlers.ts';
