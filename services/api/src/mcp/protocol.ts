import { type ToolSet, toolSets } from '@continuity/contract/mcp';
import { invalidRequest } from '@continuity/kernel/errors';
import { readQuery } from '../http/validate.ts';

// Loads the MCP SDK, which takes 20 MB of memory. A gateway imports this module at its first MCP request.
export { exchange } from './exchange.ts';
export { createMcpServer } from './server.ts';

const defaultSets: ReadonlySet<ToolSet> = new Set(toolSets.filter((set) => set !== 'review'));

/** The sets that `?tools=` names; without it, all but `review` (spec 00 §9). Throws 422 for an unknown or empty name. */
export function chosenSets(url: string): ReadonlySet<ToolSet> {
  const { tools } = readQuery(url, ['tools']);
  if (tools === undefined) return defaultSets;
  const names = tools.split(',');
  if (!names.every(isToolSet)) {
    const message = `must name sets of ${toolSets.join(', ')}, with commas between`;
    throw invalidRequest([{ path: 'tools', message }]);
  }
  return new Set(names);
}

function isToolSet(name: string): name is ToolSet {
  return (toolSets as readonly string[]).includes(name);
}
