import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { repositoryScope } from '../../local/folder-scope.ts';
import { type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { decodeText } from '../input.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> };
}

/** Where the messages go. */
interface Bridge {
  url: string;
  token: string | undefined;
  /** Aborted when the host has closed the input: nothing waits for a service that starts then. */
  inputEnd: AbortSignal;
}

/** How long a message waits for a service that starts, in milliseconds, and how often it is tried. */
const startLimitMs = 20_000;
const retryMs = 250;

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/** Serves hosts that start a process: each line of standard input goes to `/mcp`, and its answer to standard output. */
export function addMcpCommand(program: Command): void {
  withContext<{ tools?: string }>(
    program
      .command('mcp')
      .description('serve MCP over standard input and output, for agent hosts that start a process')
      .option(
        '--tools <sets>',
        'sets of tools, with commas between, or all: memory, context, work, sources, experience, skills, reports, review ' +
          '(default: memory,context,work)',
      ),
    serve,
  );
}

async function serve({ settings }: Context, _args: string[], { tools }: { tools?: string }) {
  const { token } = settings;
  // Outside of a repository each call names its Scope: a folder such as the root says nothing of the work.
  const scope = settings.scope ?? repositoryScope(process.cwd());
  const query = new URLSearchParams({
    ...(tools !== undefined && { tools }),
    ...(scope !== undefined && { scope }),
  });
  const inputEnd = new AbortController();
  const bridge = {
    url: `${settings.url.replace(/\/+$/, '')}/mcp?${query}`,
    token,
    inputEnd: inputEnd.signal,
  };
  const pending = new Set<Promise<void>>();
  for await (const line of readLines(process.stdin)) {
    if (line.every((byte) => whiteSpace.has(byte))) continue;
    const answered = answer(bridge, line).then((text) => {
      if (text !== '') process.stdout.write(`${text}\n`);
      pending.delete(answered);
    });
    pending.add(answered);
  }
  inputEnd.abort();
  await Promise.all(pending);
}

const lineFeed = 0x0a;
const whiteSpace = new Set([...' \t\r\n'].map((character) => character.charCodeAt(0)));

/**
 * Lines between `\n` alone: `readline` also splits at U+2028 and U+2029, which a JSON string may contain. A `\r` before the `\n`
 * stays in the line, because it is white space to JSON. Lines are bytes, so that those that are not UTF-8 can be refused.
 */
async function* readLines(input: NodeJS.ReadStream): AsyncGenerator<Buffer> {
  let unfinished: Buffer[] = [];
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...unfinished, chunk.subarray(start, end)]);
      unfinished = [];
      start = end + 1;
    }
    unfinished.push(chunk.subarray(start));
  }
  yield Buffer.concat(unfinished);
}

/** The answer as one line; empty for a notification. Input that is no text and a failure to reach the service are JSON-RPC errors. */
async function answer(bridge: Bridge, line: Buffer): Promise<string> {
  const { url, token } = bridge;
  let message: Message = {};
  try {
    const text = decodeText(line, 'The message');
    message = parse(text);
    const headers = {
      ...headersOf(message),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await post(bridge, headers, text);
    const answered = await response.text();
    if (answered === '') return '';
    const body = JSON.parse(answered) as { jsonrpc?: unknown; error?: { message?: string } };
    return body.jsonrpc === undefined
      ? failure(message, body.error?.message ?? `HTTP ${response.status}`)
      : JSON.stringify(body);
  } catch (error) {
    if (error instanceof UsageError) return failure(message, error.message, parseError);
    return failure(message, `${url} does not answer: ${(error as Error).message}`);
  }
}

/** Posts a message, and again while the service starts: it refuses connections first, and then answers 503. */
async function post(
  { url, inputEnd }: Bridge,
  headers: Record<string, string>,
  body: string,
): Promise<Response> {
  const deadline = performance.now() + startLimitMs;
  while (true) {
    const isLast = performance.now() > deadline || inputEnd.aborted;
    try {
      const response = await fetch(url, { method: 'POST', headers, body });
      if (response.status !== 503 || isLast) return response;
      await response.body?.cancel();
    } catch (error) {
      // The service has not seen the message.
      if (isLast || ((error as Error).cause as { code?: string } | undefined)?.code !== 'ECONNREFUSED')
        throw error;
    }
    await sleep(retryMs, undefined, { signal: inputEnd }).catch(() => undefined);
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

/** Error codes of JSON-RPC. */
const parseError = -32_700;
const internalError = -32_603;

function failure({ id, method }: Message, message: string, code = internalError): string {
  if (id === undefined && method !== undefined) return '';
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}

function parse(line: string): Message {
  try {
    return (JSON.parse(line) ?? {}) as Message;
  } catch {
    return {};
  }
}
