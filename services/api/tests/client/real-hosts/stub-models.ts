import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StubModels {
  url: string;
  /** Bodies of the requests for a model's answer. */
  requests: string[];
  stop(): void;
}

/** The APIs of the models of Claude Code, Codex and Copilot CLI. Each answer is the same text. */
export async function startStubModels(answer: string): Promise<StubModels> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const path = request.url ?? '';
    if (/^\/v1\/messages(\?|$)/.test(path)) {
      requests.push(body);
      answerMessage(response, answer, JSON.parse(body).stream === true);
    } else if (path.startsWith('/v1/responses')) {
      requests.push(body);
      answerResponse(response, answer);
    } else if (path.startsWith('/v1/chat/completions')) {
      requests.push(body);
      answerCompletion(response, answer);
    } else {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    }
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The Messages API of Anthropic. */
function answerMessage(response: ServerResponse, answer: string, isStreamed: boolean): void {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    stop_sequence: null,
    usage,
  };
  if (!isStreamed) {
    const whole = { ...message, content: [{ type: 'text', text: answer }], stop_reason: 'end_turn' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    return;
  }
  sendEvents(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

/** The Responses API of OpenAI. */
function answerResponse(response: ServerResponse, answer: string): void {
  const tokens = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
  };
  const content = [{ type: 'output_text', text: answer }];
  sendEvents(response, [
    { type: 'response.created', response: { id: 'resp_1' } },
    {
      type: 'response.output_item.done',
      item: { type: 'message', role: 'assistant', id: 'item_1', content },
    },
    { type: 'response.completed', response: { id: 'resp_1', usage: { ...tokens, total_tokens: 2 } } },
  ]);
}

/** The Chat Completions API of OpenAI, as a stream. */
function answerCompletion(response: ServerResponse, answer: string): void {
  const chunk = { id: 'completion_1', object: 'chat.completion.chunk', created: 1, model: 'stub' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const parts = [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: answer }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(`data: ${JSON.stringify(part)}\n\n`);
  response.end('data: [DONE]\n\n');
}

function sendEvents(response: ServerResponse, events: ({ type: string } & Record<string, unknown>)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
