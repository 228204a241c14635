import type { OperationSpec } from '@continuity/contract';
import { type ToolName, type ToolSet, type ToolSpec, toolTable } from '@continuity/contract/mcp';
import { operationTable } from '@continuity/contract/operations';
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Every tool as `tools/list` describes it, by its set. */
const described = Object.entries(toolTable).map(([name, spec]) => ({
  set: spec.set as ToolSet,
  tool: describe(name as ToolName, spec),
}));

/** The tools of the sets, in the order of the contract. */
export function toolsOf(sets: ReadonlySet<ToolSet>): Tool[] {
  return described.filter(({ set }) => sets.has(set)).map(({ tool }) => tool);
}

function describe(name: ToolName, { description, effect, isIdempotent, defaults }: ToolSpec): Tool {
  const { summary, params, body, response }: OperationSpec = operationTable[name];
  return {
    name,
    title: summary,
    description,
    inputSchema: withDefaults(schemaOf(argumentsOf(params, body), 'input'), defaults),
    outputSchema: schemaOf(response, 'output'),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

/** Path parameters and body as one flat object. */
function argumentsOf(params: z.ZodObject | undefined, body: z.ZodType = z.strictObject({})): z.ZodType {
  if (params === undefined) return body;
  if (!(body instanceof z.ZodObject))
    throw new Error('A tool with path parameters has a plain object as its body.');
  return z.strictObject({ ...params.shape, ...body.shape });
}

/** The schema with the defaults of the tool in place of those of the operation. */
function withDefaults(schema: Tool['inputSchema'], defaults: ToolSpec['defaults'] = {}): Tool['inputSchema'] {
  const properties = { ...schema.properties };
  for (const [name, value] of Object.entries(defaults))
    properties[name] = { ...(properties[name] as object), default: value };
  return { ...schema, properties };
}

/** MCP demands `type: object` at the root, also where the shape is a union of objects. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output'): { type: 'object'; [key: string]: unknown } {
  return { ...z.toJSONSchema(shape, { io, unrepresentable: 'any' }), type: 'object' };
}
