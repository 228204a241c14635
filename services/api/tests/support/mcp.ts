import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { tokenOf } from './tenants.ts';

export interface McpClientOptions {
  tenant: string;
  /** Sets of tools, as `?tools=` names them. */
  tools?: string;
  /** The Scope of calls that name none. */
  scope?: string;
  /** `legacy`: revisions that begin with `initialize`. */
  mode?: VersionNegotiationMode;
}

/** Connects the official client of MCP with the token of a tenant. */
export async function connectMcp(
  url: string,
  { tenant, tools, scope, mode = 'legacy' }: McpClientOptions,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const query = new URLSearchParams({
    ...(tools !== undefined && { tools }),
    ...(scope !== undefined && { scope }),
  });
  const authorization = `Bearer ${tokenOf(tenant)}`;
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp?${query}`), {
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport);
  return client;
}

/** The envelope in the answer of a refused tool call. */
export function refusalOf(result: unknown): { code: string; details: Record<string, unknown> } {
  const { content } = result as { content: { text: string }[] };
  return (JSON.parse(content[0]?.text ?? '') as { error: { code: string; details: Record<string, unknown> } })
    .error;
}

/** Posts a message, or any body, to `/mcp` as a client without a library does. */
export async function postMcp(
  url: string,
  message: unknown,
  { tools, headers }: { tools?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; text: string; json: unknown }> {
  const response = await fetch(`${url}/mcp${tools === undefined ? '' : `?tools=${tools}`}`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? null : JSON.parse(text),
  };
}
