// `@continuity/client/ai`: tools of the service for agents of the AI SDK, which the project brings as `ai`.
import { jsonSchema, type ToolSet, tool } from 'ai';
import { type AgentTool, toRequest } from './agent-tool.ts';
import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';
import { agentTools } from './generated/agent-tools.ts';

export type ContinuityToolName = keyof typeof agentTools;

export interface ContinuityToolsOptions {
  client: Client;
  /** The Scope of all calls: the model is not asked for it. */
  scopeId: string;
  /** The tools to offer. Default: all five. */
  only?: readonly ContinuityToolName[];
}

/**
 * Tools of the service for `generateText` and agents of the AI SDK: to prepare a context, to search and remember Memory, and to take work
 * over and hand it over. A refusal of the service is the result of the tool, so that the model can mend its call. Any other failure is
 * thrown.
 */
export function continuityTools({ client, scopeId, only }: ContinuityToolsOptions): ToolSet {
  const names = Object.keys(agentTools) as ContinuityToolName[];
  const chosen = names.filter((name) => only?.includes(name) ?? true);
  return Object.fromEntries(chosen.map((name) => [name, toTool(agentTools[name], client, scopeId)]));
}

function toTool(definition: AgentTool, client: Client, scopeId: string) {
  const methods = client as unknown as Record<
    string,
    (request: object, options: { signal?: AbortSignal }) => Promise<unknown>
  >;
  return tool({
    description: definition.description,
    inputSchema: jsonSchema<Record<string, unknown>>(
      definition.inputSchema as Parameters<typeof jsonSchema>[0],
    ),
    async execute(args, { abortSignal }) {
      const request = { ...toRequest(definition, args), scope_id: scopeId };
      try {
        return await methods[definition.method]?.(
          request,
          abortSignal === undefined ? {} : { signal: abortSignal },
        );
      } catch (failure) {
        if (!(failure instanceof ServiceError)) throw failure;
        const { code, message, details } = failure;
        return { error: { code, message, details } };
      }
    },
  });
}
