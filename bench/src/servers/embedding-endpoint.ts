import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type VectorTable, vectorModel } from '../search-set/vectors.ts';

/** An OpenAI-compatible embeddings endpoint in this process. */
export interface EmbeddingEndpoint {
  /** Includes the version: `http://127.0.0.1:1234/v1`. */
  baseUrl: string;
  close(): Promise<void>;
}

/** Starts `POST /v1/embeddings` on a free port. It returns the vectors of the table, and 400 for any other text. */
export async function startEmbeddingEndpoint(vectors: VectorTable): Promise<EmbeddingEndpoint> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string | string[] };
      const { status, answer } = embed(vectors, [input].flat());
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => closeServer(server) };
}

function embed(vectors: VectorTable, texts: readonly string[]): { status: number; answer: object } {
  const data: object[] = [];
  for (const [index, text] of texts.entries()) {
    const embedding = vectors.find(text);
    if (embedding === undefined)
      return { status: 400, answer: { error: { message: `No vector for the text "${text}".` } } };
    data.push({ object: 'embedding', index, embedding });
  }
  const usage = { prompt_tokens: 0, total_tokens: 0 };
  return { status: 200, answer: { object: 'list', model: vectorModel, data, usage } };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
}
