import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often connections that are done are looked for while the server closes. */
const sweepMs = 50;

/** How long the answers to those who waited may take beyond the grace period. */
const lastAnswersMs = 1_000;

/** Ends the connections of a gateway that stops. */
export interface Drain {
  /**
   * Sends what is owed, then closes the listener and all connections. After `graceMs` those who still wait are told by
   * `giveUp`, and soon after what is left is cut off.
   */
  close(graceMs: number, giveUp: () => Promise<void>): Promise<void>;
}

/**
 * Watches connections and answers, from before the server listens. While `isStopping`, each answer is the last one of its
 * connection: one that its caller keeps would hold up the stop.
 */
export function watchConnections(app: FastifyInstance, isStopping: () => boolean): Drain {
  const sockets = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.server.on('request', (_request, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('Connection', 'close');
    done();
  });

  const sweep = () => {
    // Node takes a connection for idle once its answer is written, and would cut it off for a caller who reads slowly.
    if (answers.size === 0) app.server.closeIdleConnections();
    // And it takes one on which nothing was ever sent for one whose request is on its way.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  const closeServer = async () => {
    const sweeps = setInterval(sweep, sweepMs);
    await app.close().finally(() => clearInterval(sweeps));
  };

  return {
    close: async (graceMs, giveUp) => {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>();
      const grace = setTimeout(resolve, graceMs);
      await Promise.race([sentOf(answers), graceOver]);
      const closed = closeServer();
      await Promise.race([closed, graceOver.then(giveUp)]);
      clearTimeout(grace);
      const cut = setTimeout(() => app.server.closeAllConnections(), lastAnswersMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/**
 * Resolves when the answers of this moment are on their way with all of their bytes, however slowly their callers read, or
 * the callers have gone. A request that has not wholly arrived is refused when it has: the listener need not wait for it.
 */
async function sentOf(answers: ReadonlySet<ServerResponse>): Promise<void> {
  const owed = [...answers].filter(({ req }) => req.complete);
  await Promise.all(owed.map((answer) => new Promise((closed) => answer.once('close', closed))));
}
