export type { AgentKind } from '@continuity/contract/skill-format';
export {
  agentFormats,
  ExportError,
  type ExportReason,
  type ExportTarget,
  exportSkill,
  findFormatProblem,
} from './export-skill.ts';
export { readTree, writeTree } from './tree-files.ts';
