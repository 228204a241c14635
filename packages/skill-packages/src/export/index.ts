export type { AgentKind } from '@continuity/contract/skill-format';
export { agentFormats, findFormatProblem } from './agent-formats.ts';
export { type ExportTarget, exportSkill } from './export-skill.ts';
export { type ExportReason, ExportRefusal } from './refusal.ts';
export { readTree, writeTree } from './tree-files.ts';
