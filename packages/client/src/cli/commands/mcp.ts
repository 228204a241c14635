import type { Command } from 'commander';
import { type Context, withContext } from '../context.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> };
}

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/** Serves hosts that start a process: each line of standard input goes to `/mcp`, and its answer to standard output. */
export function addMcpCommand(program: Command): void {
  withContext<{ tools?: string }>(
    program
      .command('mcp')
      .description('serve MCP over standard input and output, for agent hosts that start a process')
      .option('--tools <sets>', 'sets of tools, with commas between'),
    serve,
  );
}

async function serve({ settings }: Context, _args: string[], { tools }: { tools?: string }) {
  const query = tools === undefined ? '' : `?tools=${encodeURIComponent(tools)}`;
  const url = `${settings.url.replace(/\/+$/, '')}/mcp${query}`;
  const pending = new Set<Promise<void>>();
  for await (const line of readLines(process.stdin)) {
    if (line.trim() === '') continue;
    const answered = answer(url, settings.token, line).then((text) => {
      if (text !== '') process.stdout.write(`${text}\n`);
      pending.delete(answered);
    });
    pending.add(answered);
  }
  await Promise.all(pending);
}

/**
 * Lines between `\n` alone: `readline` also splits at U+2028 and U+2029, which a JSON string may contain. A `\r` before the `\n`
 * stays in the line, because it is white space to JSON.
 */
async function* readLines(input: NodeJS.ReadStream): AsyncGenerator<string> {
  // The stream decodes, so that a character in two chunks stays whole.
  input.setEncoding('utf8');
  let unfinished = '';
  for await (const chunk of input as AsyncIterable<string>) {
    const [end = '', ...others] = chunk.split('\n');
    // Only appended until the line ends: searching it again for each chunk would take quadratic time.
    unfinished += end;
    for (const start of others) {
      yield unfinished;
      unfinished = start;
    }
  }
  yield unfinished;
}

/** The answer as one line; empty for a notification. A failure to reach the service is a JSON-RPC error. */
async function answer(url: string, token: string | undefined, line: string): Promise<string> {
  const message = parse(line);
  try {
    const headers = {
      ...headersOf(message),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url, { method: 'POST', headers, body: line });
    const text = await response.text();
    if (text === '') return '';
    const body = JSON.parse(text) as { jsonrpc?: unknown; error?: { message?: string } };
    return body.jsonrpc === undefined
      ? failure(message, body.error?.message ?? `HTTP ${response.status}`)
      : JSON.stringify(body);
  } catch (error) {
    return failure(message, `${url} does not answer: ${(error as Error).message}`);
  }
}

/** Revisions from 2026-07-28 repeat in headers what the message says. */
function headersOf({ method, params }: Message): Record<string, string> {
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const revision = params?._meta?.[protocolVersionKey];
  if (typeof revision !== 'string' || method === undefined) return base;
  const name = params?.name ?? params?.uri;
  return {
    ...base,
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

function failure({ id, method }: Message, message: string): string {
  if (id === undefined && method !== undefined) return '';
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message } });
}

function parse(line: string): Message {
  try {
    return (JSON.parse(line) ?? {}) as Message;
  } catch {
    return {};
  }
}
