import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Embed } from './latent.ts';

/** An OpenAI-compatible endpoint of this process that makes embeddings, and nothing else. */
export interface EmbeddingEndpoint {
  /** Up to and with the version: `http://127.0.0.1:1234/v1`. */
  baseUrl: string;
  /** The texts that it has made a vector of, each once. */
  embedded: ReadonlySet<string>;
  close(): Promise<void>;
}

export const embeddingModel = 'latent-semantic-analysis';

/** Starts `POST /v1/embeddings` on a free port. */
export async function startEmbeddingEndpoint(embed: Embed): Promise<EmbeddingEndpoint> {
  const embedded = new Set<string>();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const texts = textsOf(body);
      for (const text of texts) embedded.add(text);
      const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }));
      const usage = { prompt_tokens: 0, total_tokens: 0 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', model: embeddingModel, data, usage }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    embedded,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function textsOf(body: unknown): string[] {
  const { input } = body as { input: string | string[] };
  return [input].flat();
}
