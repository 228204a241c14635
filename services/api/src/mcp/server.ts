import type { IncomingHttpHeaders } from 'node:http';
import { toolTable } from '@continuity/contract/mcp';
import { ServiceError } from '@continuity/kernel/errors';
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import manifest from '../../package.json' with { type: 'json' };
import { callTool, type ToolInput, wordsForMissing } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { McpSession } from './session.ts';
import { toolsOf } from './tool-list.ts';

const about = { name: 'continuity', title: 'Context Continuity Service', version: manifest.version };

/** All servers share it, because each would otherwise create its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** The MCP server of one request (spec 00 §9). It keeps nothing between requests. */
export function createMcpServer(session: McpSession): Server {
  const server = new Server(about, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
    instructions: instructionsFor(session.scope),
    jsonSchemaValidator,
  });
  server.setRequestHandler('tools/list', () => ({ tools: toolsOf(session.sets, session.scope) }));
  server.setRequestHandler('tools/call', ({ params }) => runTool(session, params.name));
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(session.scope) }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    orProtocolError(session, () => getPrompt(session, params.name, params.arguments ?? {})),
  );
  server.setRequestHandler('resources/list', async () => ({
    resources: await orProtocolError(session, () => listResources(session)),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
    contents: [await orProtocolError(session, () => readResource(session, uri))],
  }));
  return server;
}

/** Runs a tool. Answers an error of the operation as a result with `isError`, so that a model can correct its call. */
async function runTool(
  { sets, handlers, caller, call, toError }: McpSession,
  name: string,
): Promise<CallToolResult> {
  if (call === null || !sets.has(toolTable[call.name].set)) throw invalidParams(`Unknown tool: ${name}`);
  try {
    if ('error' in call) throw new ServiceError(call.error);
    const answer = await callTool(handlers, caller, call.name, call.input);
    return {
      structuredContent: answer as Record<string, unknown>,
      content: [JSON.stringify(answer), wordsForMissing(namedIn(call.input), answer) ?? []]
        .flat()
        .map((text) => ({ type: 'text', text })),
    };
  } catch (failure) {
    const text = JSON.stringify(toError(failure).toEnvelope());
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** What the request of a tool names, wherever HTTP has it. */
function namedIn({ params, query, body }: ToolInput): object {
  return { ...(params as object), ...(query as object), ...(body as object) };
}

/** Throws the errors of prompts and resources as JSON-RPC errors, with the envelope as `data`. */
async function orProtocolError<T>({ toError }: McpSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ProtocolError) throw failure;
    const error = toError(failure);
    const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message, error.toEnvelope());
  }
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers one message over HTTP with one JSON body, in the protocol revision of the request. */
export async function exchange(
  server: Server,
  headers: IncomingHttpHeaders,
  message: unknown,
): Promise<HttpAnswer> {
  const request = toWebRequest(headers);
  const isLegacy = await isLegacyRequest(request, message);
  const response = await (isLegacy ? answerLegacy : answerModern)(server, request, message);
  const body = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Answers revisions before 2026-07-28, which begin with `initialize`. */
async function answerLegacy(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  await server.close();
  return response;
}

/** Answers revisions from 2026-07-28 on. Subscriptions are off, because a stateless gateway has no events to send. */
async function answerModern(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  return await createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, {
    parsedBody,
  });
}

/** Builds the request for the library, without the body, which it gets parsed. */
function toWebRequest(headers: IncomingHttpHeaders): Request {
  const known = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const sent = known.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  // The library demands both types by name. The answer is JSON in any case, so what a client accepts is not judged (spec 70 §5.4.1).
  const accept: [string, string] = ['accept', 'application/json, text/event-stream'];
  return new Request('http://localhost/mcp', { method: 'POST', headers: [accept, ...sent] });
}
