import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

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
  const accept: [string, string] = ['accept', withAnyTypeNamed(headers.accept)];
  return new Request('http://localhost/mcp', { method: 'POST', headers: [accept, ...sent] });
}

/** Names both media types of MCP where a client accepts any type: the library knows no wildcard. No header means any type too. */
function withAnyTypeNamed(accept = '*/*'): string {
  const types = accept.split(',').map((range) => range.split(';', 1)[0]?.trim());
  return types.includes('*/*') ? 'application/json, text/event-stream' : accept;
}
