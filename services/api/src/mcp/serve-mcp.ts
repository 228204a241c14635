import { bodyLimitOf } from '@continuity/contract';
import { defaultToolSets, type ToolSet, toolSets } from '@continuity/contract/mcp';
import { scopeId } from '@continuity/contract/notation';
import { invalidRequest } from '@continuity/kernel/errors';
import type { Caller } from '@continuity/shared/handlers';
import { type HeadFile, readHeadFile } from '@continuity/shared/skills';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OperationDeps } from '../assemble-runtime.ts';
import { type BoundOperations, bindHandlers } from '../bind-handlers.ts';
import type { BodyReader } from '../bodies/body-reader.ts';
import { toServiceError } from '../http/errors.ts';
import { callerOf } from '../http/register-operations.ts';
import { readQuery, validate } from '../http/validate.ts';
import type { Servers } from '../servers.ts';
import { toolOperations } from './call-tool.ts';

/** The route, for the `Allow` header of a 405. */
export const mcpRoute = { method: 'POST', path: '/mcp' } as const;

/** Limit of a body, in bytes: the arguments of the largest tool, and JSON-RPC around them. */
const bodyLimit = Math.max(...toolOperations.map(bodyLimitOf)) + 16 * 1024;

/** Serves MCP over Streamable HTTP without sessions, so that any gateway can answer any request (spec 00 §9). */
export function serveMcp(
  app: FastifyInstance,
  handlers: BoundOperations,
  bodies: BodyReader,
  deploymentBodyLimit: number,
  servers: Servers,
): void {
  const { read_skill_file } = bindHandlers(servers, resourceHandlers);
  const limit = Math.min(bodyLimit, deploymentBodyLimit);
  app.route({
    method: mcpRoute.method,
    url: mcpRoute.path,
    config: { page: 'mcp', role: 'tenant' },
    bodyLimit: limit,
    handler: async (request, reply) => {
      const { sets, scope } = readChoice(request.url);
      const message = await bodies.readMessage(request.tenantId, request.body as Buffer | undefined, scope);
      if (message.isRefused) return reply.status(400).send(message.error);
      // The SDK of MCP takes 20 MB of memory: a gateway loads it at its first request.
      const { createMcpServer, exchange } = await import('./server.ts');
      const server = createMcpServer({
        sets,
        scope,
        handlers,
        call: message.call,
        caller: toolCaller(request, reply),
        readSkillFile: async (file) =>
          (await read_skill_file(toolCaller(request, reply), file)).body ?? undefined,
        toError: (failure) => {
          request.failure = toServiceError(failure, limit);
          return request.failure;
        },
      });
      const { status, headers, body } = await exchange(server, request.headers, message.value);
      return reply.status(status).headers(headers).send(body);
    },
  });
}

/** Reads of resources that are no operations. */
const resourceHandlers = {
  read_skill_file: async ({ database }: OperationDeps, { tenantId }: Caller, file: HeadFile) => ({
    body: (await readHeadFile(database, tenantId, file)) ?? null,
  }),
};

/** A tool waits for its worker, whatever `Prefer` says: MCP has no 202 with a job. */
function toolCaller(request: FastifyRequest, reply: FastifyReply) {
  return callerOf(request, reply, { respondAsync: false });
}

interface Choice {
  sets: ReadonlySet<ToolSet>;
  scope: string | undefined;
}

/** Reads `?tools=` and `?scope=` (spec 00 §9, spec 70 §5.3). Throws 422 for an unknown or empty set, and for what is no id of a Scope. */
export function readChoice(url: string): Choice {
  const { tools, scope } = readQuery(url, ['tools', 'scope']);
  return { sets: chosenSets(tools), ...validate(scopeChoice, { scope }) };
}

const scopeChoice = z.object({ scope: scopeId.optional() }).transform(({ scope }) => ({ scope }));

function chosenSets(tools: string | undefined): ReadonlySet<ToolSet> {
  if (tools === undefined) return defaultToolSets;
  if (tools === 'all') return new Set(toolSets);
  const names = tools.split(',');
  if (!names.every(isToolSet)) {
    const message = `must be \`all\`, or name sets of ${toolSets.join(', ')}, with commas between`;
    throw invalidRequest([{ path: 'tools', message }]);
  }
  return new Set(names);
}

function isToolSet(name: string): name is ToolSet {
  return (toolSets as readonly string[]).includes(name);
}
