import type { Command } from 'commander';
import { addScope, type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { decodeText } from '../input.ts';

type Fields = Record<string, unknown>;

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; arguments?: Fields; _meta?: Fields };
}

/** Where the messages go, and the Scope of those that name none. */
interface Bridge {
  url: string;
  token: string | undefined;
  scope: string | undefined;
}

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/** Serves hosts that start a process: each line of standard input goes to `/mcp`, and its answer to standard output. */
export function addMcpCommand(program: Command): void {
  withContext<{ tools?: string }>(
    program
      .command('mcp')
      .description('serve MCP over standard input and output, for agent hosts that start a process')
      .option(
        '--tools <sets>',
        'sets of tools, with commas between: memory, context, work, review (default: all but review)',
      ),
    serve,
  );
}

async function serve({ settings }: Context, _args: string[], { tools }: { tools?: string }) {
  const query = tools === undefined ? '' : `?tools=${encodeURIComponent(tools)}`;
  const { token, scope } = settings;
  const bridge: Bridge = { url: `${settings.url.replace(/\/+$/, '')}/mcp${query}`, token, scope };
  const pending = new Set<Promise<void>>();
  for await (const line of readLines(process.stdin)) {
    if (line.every((byte) => whiteSpace.has(byte))) continue;
    const answered = answer(bridge, line).then((text) => {
      if (text !== '') process.stdout.write(`${text}\n`);
      pending.delete(answered);
    });
    pending.add(answered);
  }
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
async function answer({ url, token, scope }: Bridge, line: Buffer): Promise<string> {
  let message: Message = {};
  try {
    const text = decodeText(line, 'The message');
    message = parse(text);
    const headers = {
      ...headersOf(message),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url, { method: 'POST', headers, body: nameScope(message, scope) ?? text });
    const answered = await response.text();
    if (answered === '') return '';
    const body = JSON.parse(answered) as Answer;
    return body.jsonrpc === undefined
      ? failure(message, body.error?.message ?? `HTTP ${response.status}`)
      : JSON.stringify(tellScope(message, body, scope));
  } catch (error) {
    if (error instanceof UsageError) return failure(message, error.message, parseError);
    return failure(message, `${url} does not answer: ${(error as Error).message}`);
  }
}

/** A call of a tool or a prompt with the chosen Scope in place of a missing one; undefined for any other message. */
function nameScope(message: Message, scope: string | undefined): string | undefined {
  const { method, params } = message;
  if (scope === undefined || params === undefined || !['tools/call', 'prompts/get'].includes(method ?? ''))
    return undefined;
  const given = params.arguments ?? {};
  // The one prompt prepares context.
  const operation = method === 'prompts/get' ? 'prepare_context' : String(params.name);
  const named = addScope(operation, given, scope);
  return named === given
    ? undefined
    : JSON.stringify({ ...message, params: { ...params, arguments: named } });
}

interface InputSchema {
  properties?: Record<string, Fields>;
  required?: string[];
}

interface Answer {
  jsonrpc?: unknown;
  error?: { message?: string };
  result?: {
    instructions?: string;
    tools?: { inputSchema: InputSchema }[];
    prompts?: { arguments?: { name: string; required?: boolean; description?: string }[] }[];
  };
}

/** Tells the host the chosen Scope: in the instructions, and as the default of tools and prompts, which need not name it. */
function tellScope({ method }: Message, body: Answer, scope: string | undefined): Answer {
  const { result } = body;
  if (scope === undefined || result === undefined) return body;
  if (method === 'initialize') {
    const told = `The Scope is ${JSON.stringify(scope)}, unless a call names another one.`;
    result.instructions = [result.instructions, told].filter(Boolean).join('\n');
  }
  for (const { inputSchema } of result.tools ?? []) makeOptional(inputSchema, scope);
  for (const argument of (result.prompts ?? []).flatMap((one) => one.arguments ?? [])) {
    if (argument.name !== 'scope_id') continue;
    argument.required = false;
    argument.description = `The Scope. Default: ${JSON.stringify(scope)}.`;
  }
  return body;
}

/** Gives the required field of a tool that names or selects Scopes the chosen one as its default. */
function makeOptional(schema: InputSchema, scope: string): void {
  for (const name of ['scope_id', 'selection'] as const) {
    const property = schema.properties?.[name];
    if (property === undefined || schema.required?.includes(name) !== true) continue;
    schema.required = schema.required.filter((one) => one !== name);
    property['default'] = name === 'scope_id' ? scope : { mode: 'exact', scope_ids: [scope] };
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
