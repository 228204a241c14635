import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Tool {
  function: { name: string; description?: string; parameters: Schema };
}

type Message = { role: string; content: unknown };

/**
 * A stub of a model with tools, over the API of OpenAI's chat completions. It knows nothing of the service: it takes the tool whose name and
 * description share most words with the prompt, fills what the schema requires by what the description and the prompt say, and answers with
 * what the tool returned.
 */
export async function startWordModel(): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const { messages, tools = [] } = JSON.parse(await text(request)) as {
      messages: Message[];
      tools?: Tool[];
    };
    const last = messages.at(-1);
    const message =
      last?.role === 'user' ? callTool(textOf(last.content), tools) : { content: textOf(last?.content) };
    const choice = {
      index: 0,
      message: { role: 'assistant', content: null, ...message },
      finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
    };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'stub',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: 'stub',
        choices: [choice],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let calls = 0;

function callTool(prompt: string, tools: Tool[]) {
  const [best] = tools.toSorted((left, right) => overlap(prompt, right) - overlap(prompt, left));
  if (best === undefined) return { content: 'There is no tool.' };
  const { name, description = '', parameters } = best.function;
  const args = valueFor('', parameters, { prompt, description });
  calls += 1;
  const call = { id: `call-${calls}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { tool_calls: [call] };
}

/** Words of the prompt that the tool has, each once; those of its name count more. */
function overlap(prompt: string, { function: { name, description = '' } }: Tool): number {
  const said = wordsOf(prompt.replaceAll(/"[^"]*"/g, ''));
  const named = wordsOf(name.replaceAll('_', ' '));
  const described = wordsOf(description);
  return [...said].reduce((sum, word) => sum + (named.has(word) ? 3 : 0) + (described.has(word) ? 1 : 0), 0);
}

const wordsOf = (words: string) => new Set(words.toLowerCase().match(/[a-z]{4,}/g) ?? []);

/** A value of a parameter: what the description writes as `name: value`, else from the prompt, as the type demands. */
function valueFor(name: string, given: Schema, words: { prompt: string; description: string }): unknown {
  const told = new RegExp(`\`${name}: ("?)([^\`"]+)\\1\``).exec(words.description)?.[2];
  if (told !== undefined) return told === 'true' ? true : told;
  if (given.anyOf?.some(({ type }) => type === 'null') === true || isNullable(given)) return null;
  if (given.enum !== undefined) return given.enum[0];
  if (given.type === 'object') {
    const fields = Object.entries(given.properties ?? {}).filter(
      ([field]) => given.required?.includes(field) === true || words.description.includes(`\`${field}: `),
    );
    return Object.fromEntries(fields.map(([field, schema]) => [field, valueFor(field, schema, words)]));
  }
  if (given.type === 'array') return given.items === undefined ? [] : [valueFor('', given.items, words)];
  if (given.type === 'boolean') return false;
  if (given.type !== 'string') return 1;
  // An id of its own, else what the user has put between quotes.
  return name.endsWith('_id') ? `stub-${calls}` : (/"([^"]*)"/.exec(words.prompt)?.[1] ?? words.prompt);
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';
}
