import { describeTool, type Tool, type ToolName, type ToolSet, toolTable } from '@continuity/contract/mcp';

const names = Object.keys(toolTable) as ToolName[];

/** Every tool as `tools/list` describes it to a caller whose calls name their Scope. */
const described = names.map((name) => describeTool(name));

/**
 * The tools of the sets, in the order of the contract.
 *
 * @param scope the Scope of a call that names none
 */
export function toolsOf(sets: ReadonlySet<ToolSet>, scope: string | undefined): Tool[] {
  const tools = scope === undefined ? described : names.map((name) => describeTool(name, scope));
  return tools.filter(({ name }) => sets.has(toolTable[name].set));
}
