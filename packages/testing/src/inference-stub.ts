import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat completion that the stub was asked for. */
export interface StubRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    temperature?: number;
    messages: { role: string; content: string }[];
    response_format?: { type: string };
  };
}

/** `content` answers as the model's message; `body` is sent as it is; `hang` never answers. */
export type StubAnswer =
  | { content: string; usage?: { prompt_tokens: number; completion_tokens: number }; finishReason?: string }
  | { status: number; body: string }
  | { hang: true };

type Responder = (request: StubRequest, index: number) => StubAnswer | Promise<StubAnswer>;

export interface InferenceStub {
  /** Base URL, up to and with `/v1`. */
  url: string;
  /** What was asked so far, oldest first. */
  requests: StubRequest[];
  /** Sets who answers from now on. `index` counts the requests of this stub from 0. */
  respondWith(answer: Responder): void;
  close(): Promise<void>;
}

/** A local server that speaks the OpenAI-compatible chat completions API; it answers no proposals until told otherwise. */
export async function startInferenceStub(): Promise<InferenceStub> {
  const requests: StubRequest[] = [];
  let respond: Responder = () => ({ content: '{"proposals":[]}' });
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const request: StubRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(text),
    };
    requests.push(request);
    send(outgoing, await respond(request, requests.length - 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    respondWith: (answer) => {
      respond = answer;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(outgoing: ServerResponse, answer: StubAnswer): void {
  if ('hang' in answer) return;
  const [status, body] = 'body' in answer ? [answer.status, answer.body] : [200, completionOf(answer)];
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function completionOf({
  content,
  usage,
  finishReason = 'stop',
}: Extract<StubAnswer, { content: string }>): string {
  return JSON.stringify({
    id: 'stub',
    object: 'chat.completion',
    created: 0,
    model: 'stub',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
    ...(usage === undefined ? {} : { usage }),
  });
}
