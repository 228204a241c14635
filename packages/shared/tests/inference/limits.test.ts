import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAsk, createEmbedder, InferenceError, probeGeneration } from '../../src/inference/index.ts';
import { createReranker } from '../../src/memory/index.ts';

/** The endpoint of a model, and another host that redirects must not reach. */
let model: Server;
let other: Server;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let otherRequests: number;
let sentBytes: number;

beforeAll(async () => {
  model = createServer((request, response) => {
    request.resume();
    request.on('end', () => respond(request, response));
  });
  other = createServer((_, response) => {
    otherRequests += 1;
    response.end('{}');
  });
  for (const server of [model, other]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  otherRequests = 0;
  sentBytes = 0;
});
afterAll(() => {
  for (const server of [model, other]) {
    server.closeAllConnections();
    server.close();
  }
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const endpoint = () => ({
  baseURL: urlOf(model),
  model: 'stub',
  apiKey: 'key-0123456789',
  timeoutMs: 30_000,
});
const signal = new AbortController().signal;

/** One request of each purpose and API. */
const requests: [name: string, send: () => Promise<unknown>][] = [
  ['generation', () => askFor(endpoint())],
  ['generation over the Messages API', () => askFor({ ...endpoint(), provider: 'anthropic' })],
  [
    'embedding',
    () => createEmbedder({ ...endpoint(), profileId: 'p', dimension: 4 }).embed(['text'], 'query'),
  ],
  ['reranking', () => createReranker(endpoint(), 8).order('query', ['a', 'b'], async () => {})],
];

function askFor(address: Parameters<typeof createAsk>[0]) {
  const schema = z.strictObject({ answer: z.string() });
  return createAsk(address)({
    name: 'answer',
    instructions: 'Answer.',
    prompt: 'Secret prompt',
    schema,
    signal,
  });
}

async function failureOf(send: () => Promise<unknown>): Promise<InferenceError> {
  const error = await send().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof InferenceError)) throw new Error('expected an InferenceError', { cause: error });
  expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/127\.0\.0\.1|key-|Secret/);
  return error;
}

/** Sends up to 1.5 GB, with the length announced or not. */
function sendForever(response: ServerResponse, headers: Record<string, string>): void {
  const chunk = Buffer.alloc(1 << 20, 'x');
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  const send = () => {
    while (!response.destroyed && sentBytes < 1_500_000_000) {
      sentBytes += chunk.byteLength;
      if (!response.write(chunk)) {
        response.once('drain', send);
        return;
      }
    }
    response.end();
  };
  send();
}

describe('an answer of 1.5 GB', () => {
  test.each(requests.slice(0, 3))('%s: is cut off at 8 MiB, with an error that says so', async (_, send) => {
    for (const headers of [{}, { 'content-length': '1500000000' }]) {
      sentBytes = 0;
      respond = (__, response) => sendForever(response, headers);
      const error = await failureOf(send);
      expect(error).toMatchObject({
        reason: 'invalid_output',
        message: 'The answer of the model is over 8 MiB.',
      });
      expect(sentBytes).toBeLessThan(64_000_000);
    }
  });

  test('reranking: keeps the order, as after any answer that it cannot use', async () => {
    respond = (_, response) => sendForever(response, {});
    expect(await requests[3]?.[1]()).toBeNull();
    expect(sentBytes).toBeLessThan(64_000_000);
  });
});

describe('a redirect to another host', () => {
  test.each([301, 302, 307, 308])('%i: is not followed', async (status) => {
    respond = (_, response) =>
      response.writeHead(status, { location: `${urlOf(other)}/chat/completions` }).end();
    for (const [name, send] of [...requests, ['probe', () => probeGeneration(endpoint(), signal)] as const]) {
      const error = await failureOf(send);
      expect([name, error.reason, error.status]).toEqual([name, 'refused', status]);
      expect(error.message).toBe('The model endpoint redirects. Set its final address.');
    }
    expect(otherRequests).toBe(0);
  });
});

describe('spec 25 Q16: answers in a code fence or behind thoughts', () => {
  const json = '{"answer":"``` and </think> inside"}';
  test.each([
    ['plain', json],
    ['a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a language', `\`\`\`\n${json}\n\`\`\`\n`],
    ['a fence with words around it', `Here is the result:\n\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
    ['thoughts', `<think>{"answer":"no"}</think>\n${json}`],
    ['thoughts and a fence', `<think>\nhm\n</think>\n\n\`\`\`json\n${json}\n\`\`\``],
    ['thoughts without their opening tag', `I should answer.</think>${json}`],
  ])('%s', async (_, content) => {
    respond = (__, response) => response.end(completionOf(content));
    expect(await askFor(endpoint())).toEqual({ answer: '``` and </think> inside' });
  });

  test.each([
    ['Sure! Here you are.', 'stop', 'The answer of the model is not JSON.'],
    ['{"answer":', 'length', 'The answer of the model was cut off at its limit of tokens.'],
    ['{"answer":7}', 'stop', 'The answer of the model breaks its schema (answer: invalid_type).'],
    [
      '{"answer":"a","topsecret":1}',
      'stop',
      'The answer of the model breaks its schema (answer: unrecognized_keys).',
    ],
  ])(
    'the error says which rule the answer breaks, and not its content: %s',
    async (content, finish, message) => {
      respond = (_, response) => response.end(completionOf(content, finish));
      expect(await failureOf(() => askFor(endpoint()))).toMatchObject({ reason: 'invalid_output', message });
    },
  );
});

function completionOf(content: string, finish_reason = 'stop'): string {
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'stub',
    choices: [{ index: 0, finish_reason, message: { role: 'assistant', content } }],
  });
}
