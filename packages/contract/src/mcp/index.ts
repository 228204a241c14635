export { argumentsOf, describeTool, type Tool } from './describe-tool.ts';
export { fitToolArguments } from './fit-arguments.ts';
export type { ToolSchema } from './tool-schema.ts';
export type { ToolShape } from './tool-shape.ts';
export {
  defaultToolSets,
  isToolName,
  type ToolName,
  type ToolSet,
  type ToolSpec,
  toolSets,
  toolTable,
} from './tools.ts';
