export type { AgentKind } from '@continuity/contract/skill-format';
export { agentFormats, findFormatProblem } from './agent-formats.ts';
export { ExportError, type ExportReason } from './export-error.ts';
export { type ExportTarget, exportSkill } from './export-skill.ts';
export { readTree, writeTree } from './tree-files.ts';
