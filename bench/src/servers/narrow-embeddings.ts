import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { builtinProfile, type EmbedAnswer, embedPath } from '@continuity/contract/embedder';

/** An OpenAI-compatible endpoint in this process, and the settings with which a service uses it. */
interface NarrowEmbeddings {
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Each cosine is this, and the rest of it that of the model. */
const shared = 0.7;

const prefixes = { query: 'query: ', passage: 'passage: ' };

/**
 * Starts an endpoint over the built-in embedder whose cosines are `0.7 + 0.3 * cosine`, as those of the E5 models: each vector has one
 * more component, which all have in common.
 */
export async function startNarrowEmbeddings(embedderUrl: string): Promise<NarrowEmbeddings> {
  const server = createServer((request, response) => {
    void json(request)
      .then((body) => embed(embedderUrl, [(body as { input: string | string[] }).input].flat()))
      .then((data) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ object: 'list', model: 'narrow', data }));
      })
      .catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const settings = {
    EMBEDDER: 'off',
    INFERENCE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    INFERENCE_EMBEDDING_MODEL: 'narrow',
    INFERENCE_EMBEDDING_PROFILE_ID: 'narrow',
    INFERENCE_EMBEDDING_DIMENSION: String(builtinProfile.dimension + 1),
    INFERENCE_EMBEDDING_BATCH_SIZE: '16',
    INFERENCE_EMBEDDING_QUERY_PREFIX: prefixes.query,
    INFERENCE_EMBEDDING_PASSAGE_PREFIX: prefixes.passage,
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  };
  return { settings, close };
}

async function embed(embedderUrl: string, texts: readonly string[]): Promise<object[]> {
  const kind = texts.every((text) => text.startsWith(prefixes.query)) ? 'query' : 'passage';
  const answer = await fetch(`${embedderUrl}${embedPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: texts.map((text) => text.replace(prefixes[kind], '')), input_type: kind }),
  });
  const { data } = (await answer.json()) as EmbedAnswer;
  return data.map(({ embedding }, index) => ({ object: 'embedding', index, embedding: narrow(embedding) }));
}

/** Scales a vector to length √0.3, and adds a component of √0.7. */
function narrow(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  const scale = Math.sqrt(1 - shared) / length;
  return [Math.sqrt(shared), ...vector.map((value) => value * scale)];
}
