import {
  type EmbedAnswer,
  embedPath,
  embedRequest,
  maxEmbedTextBytes,
  maxEmbedTexts,
} from '@continuity/contract/embedder';
import type { Logger } from '@continuity/kernel/telemetry';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { QueueFullError, type TextQueue } from './text-queue.ts';

/** JSON takes up to six characters for one byte of a text. */
const bodyLimit = maxEmbedTexts * maxEmbedTextBytes * 6 + 4096;

/** Digits behind the point of a component. Half of the last one is below the precision of the model by far. */
const digits = 1e7;

/**
 * The HTTP interface of the embedder (spec 26 S13): `POST /v1/embeddings`, `GET /health/live` and `GET /health/ready`. An error is
 * `{ error: { message } }`. Neither answers nor log lines hold a text.
 */
export function buildApp(queue: TextQueue, logger: Logger): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit, forceCloseConnections: 'idle' });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) logger.error({ err: error }, 'a request failed');
    return reply.code(status).send(errorOf(status >= 500 ? 'The request failed.' : error.message));
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send(errorOf('There is no such path.')));
  for (const path of ['/health/live', '/health/ready']) app.get(path, () => ({ status: 'ready' }));
  app.post(embedPath, async (request, reply): Promise<EmbedAnswer | undefined> => {
    const parsed = embedRequest.safeParse(request.body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return reply.code(422).send(errorOf(`${issue?.path.join('.')}: ${issue?.message}`));
    }
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    try {
      const embedded = await queue.embed(parsed.data, gone.signal);
      const tokens = embedded.reduce((sum, text) => sum + text.tokens, 0);
      return {
        data: embedded.map(({ vector }, index) => ({ index, embedding: roundAll(vector) })),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    } catch (error) {
      if (gone.signal.aborted) return undefined;
      if (!(error instanceof QueueFullError)) throw error;
      return reply.code(503).header('retry-after', '1').send(errorOf('Too many texts are waiting.'));
    }
  });
  return app;
}

function errorOf(message: string): { error: { message: string } } {
  return { error: { message } };
}

function roundAll(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * digits) / digits);
}
