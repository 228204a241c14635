import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long a stop waits for connections that owe nothing any more, or whose time is up. */
const hangUpMs = 2_000;

/** The answers that a gateway owes. */
export interface AnswersUnderWay {
  /** Resolves when those of this moment have been sent, or their callers have gone. */
  sent(): Promise<void>;
}

/** Counts an answer as sent when all of its bytes are on their way, however slowly its caller reads. */
export function watchAnswers(server: Server): AnswersUnderWay {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  return {
    sent: async () => {
      await Promise.all(
        [...underWay].map((response) => new Promise((closed) => response.once('close', closed))),
      );
    },
  };
}

/** While the gateway stops, each answer is the last one of its connection: one that stays open would hold up the stop. */
export function endConnections(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('Connection', 'close');
    done();
  });
}

/** Closes the listener and all connections. Call it when the answers are sent: it cuts off what a slow caller has not read. */
export async function closeConnections(app: FastifyInstance): Promise<void> {
  // What only begins to arrive may never end.
  const limit = setTimeout(() => app.server.closeAllConnections(), hangUpMs);
  await app.close();
  clearTimeout(limit);
}
