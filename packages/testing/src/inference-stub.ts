import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { messageOf, readMessage, type StubAnswer, type StubRequest } from './stub-completion.ts';

type Responder = (request: StubRequest, index: number) => StubAnswer | Promise<StubAnswer>;

/** A request for embeddings. */
interface StubEmbedding {
  headers: IncomingHttpHeaders;
  model: string;
  texts: string[];
}

/** `vectors` are sent as the model's answer, one for each text, and may be invalid. The others as in `StubAnswer`. */
type StubVectors =
  | { vectors: unknown[]; tokens?: number | undefined }
  | { status: number; body: string }
  | { hang: true };

/** Answer to a request for the list of models. */
export type StubList = { status: number; body: string } | { hang: true };

type EmbeddingResponder = (request: StubEmbedding, index: number) => StubVectors | Promise<StubVectors>;

export interface InferenceStub {
  /** Base URL, up to and with `/v1`. */
  url: string;
  /** Received requests for completions, oldest first. */
  requests: StubRequest[];
  /** Sets the function that answers completions. `index` counts their requests from 0. */
  respondWith(answer: Responder): void;
  /** Received requests for embeddings, oldest first. The stub answers them with `embedText` until `embedWith` is called. */
  embeddings: StubEmbedding[];
  embedWith(answer: EmbeddingResponder): void;
  /**
   * Received requests of workers that measure the baseline of a profile, not among `embeddings`. The stub answers them as a model whose
   * unrelated texts have nothing in common, until `embedBaselineWith` is called.
   */
  baselines: StubEmbedding[];
  embedBaselineWith(answer: EmbeddingResponder): void;
  /** Headers of the requests for the list of models. The stub lists one model until `listWith` is called. */
  lists: IncomingHttpHeaders[];
  listWith(answer: () => StubList): void;
  close(): Promise<void>;
}

/** Dimension of the stub's embeddings. */
export const stubDimension = 64;

/** The first words of the first text of each request that measures a baseline. */
const baselineStarts = ['when is high tide in the harbour', 'The harbour master posts high and low water'];

const measuresBaseline = ({ texts }: StubEmbedding) =>
  texts.length === 16 && baselineStarts.some((start) => texts[0]?.includes(start) === true);

/** Unrelated texts are at right angles. */
const embedBaseline: EmbeddingResponder = ({ texts }) => ({
  vectors: texts.map((_, place) =>
    Array.from({ length: stubDimension }, (_, index) => Number(index === place)),
  ),
});

/** Answers with `embedText` of every text. */
export const embedAll: EmbeddingResponder = ({ texts }) => ({
  vectors: texts.map((text) => embedText(text, stubDimension)),
  tokens: texts.join(' ').split(/\s+/).length,
});

/**
 * Starts a server for completions, embeddings and the list of models. It is OpenAI-compatible, and speaks Anthropic's Messages
 * API at `/v1/messages`. It answers completions without proposals until `respondWith` is called.
 */
export async function startInferenceStub(): Promise<InferenceStub> {
  const requests: StubRequest[] = [];
  let respond: Responder = () => ({ content: '{"proposals":[]}' });
  const embeddings: StubEmbedding[] = [];
  let embed: EmbeddingResponder = embedAll;
  const baselines: StubEmbedding[] = [];
  let answerBaseline: EmbeddingResponder = embedBaseline;
  const lists: IncomingHttpHeaders[] = [];
  let list = (): StubList => ({
    status: 200,
    body: '{"object":"list","data":[{"id":"stub","object":"model"}]}',
  });
  const answerEmbedding = async (outgoing: ServerResponse, asked: StubEmbedding) => {
    const [received, answer] = measuresBaseline(asked) ? [baselines, answerBaseline] : [embeddings, embed];
    received.push(asked);
    sendVectors(outgoing, await answer(asked, received.length - 1));
  };
  const server = createServer(async (incoming, outgoing) => {
    const text = await readText(incoming).catch(() => undefined);
    // The sender was killed before it had sent the whole request.
    if (text === undefined) return;
    if (incoming.url?.endsWith('/embeddings')) {
      await answerEmbedding(outgoing, readEmbedding(incoming.headers, text));
      return;
    }
    if (incoming.url?.endsWith('/models')) {
      lists.push(incoming.headers);
      send(outgoing, list());
      return;
    }
    const message = incoming.url?.endsWith('/messages') ? readMessage(incoming.headers, text) : undefined;
    if (message !== undefined && 'status' in message) {
      send(outgoing, message);
      return;
    }
    const request: StubRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: message?.body ?? JSON.parse(text),
    };
    requests.push(request);
    const answer = await respond(request, requests.length - 1);
    send(outgoing, message === undefined ? answer : messageOf(answer, message.usesTool));
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
    embeddings,
    embedWith: (answer) => {
      embed = answer;
    },
    baselines,
    embedBaselineWith: (answer) => {
      answerBaseline = answer;
    },
    lists,
    listWith: (answer) => {
      list = answer;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readEmbedding(headers: IncomingHttpHeaders, body: string): StubEmbedding {
  const { model, input } = JSON.parse(body) as { model: string; input: string[] };
  return { headers, model, texts: input };
}

function send(outgoing: ServerResponse, answer: StubAnswer): void {
  if ('hang' in answer) return;
  const [status, body] = 'body' in answer ? [answer.status, answer.body] : [200, completionOf(answer)];
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function sendVectors(outgoing: ServerResponse, answer: StubVectors): void {
  if ('hang' in answer) return;
  const [status, body] = 'body' in answer ? [answer.status, answer.body] : [200, vectorsOf(answer)];
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function vectorsOf({ vectors, tokens }: Extract<StubVectors, { vectors: unknown[] }>): string {
  return JSON.stringify({
    object: 'list',
    model: 'stub',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  });
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

/** Synonyms. No two words of a line share a stem, so only vectors relate them. */
const synonyms = [
  ['automobile', 'car', 'vehicle'],
  ['physician', 'doctor', 'medic'],
  ['purchase', 'buy', 'acquire'],
  ['begin', 'start', 'commence'],
  ['postgres', 'database', 'sql'],
  ['house', 'home', 'dwelling'],
];

const firstSynonym = new Map(synonyms.flatMap((words) => words.map((word) => [word, words[0] ?? word])));

/** The embedding of a text, equal on every machine. Texts of synonyms are near each other; other texts are not. */
export function embedText(text: string, dimension: number): number[] {
  const vector: number[] = Array.from({ length: dimension }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha256')
      .update(firstSynonym.get(word) ?? word)
      .digest();
    for (let index = 0; index < 8; index += 1) {
      const position = hash.readUInt16BE(index * 3) % dimension;
      vector[position] = (vector[position] ?? 0) + ((hash[index * 3 + 2] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  // A vector of zeros has no direction: the words of this text cancelled each other out.
  return vector.some((value) => value !== 0) ? vector : vector.fill(1, 0, 1);
}
