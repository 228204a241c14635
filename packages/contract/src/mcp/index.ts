export { isToolName, type ToolName, type ToolSet, type ToolSpec, toolSets, toolTable } from './tools.ts';
