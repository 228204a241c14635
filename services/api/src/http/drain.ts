import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { notReady } from '../runtime.ts';
import { refuseUnfinished } from './client-error.ts';

/** How often connections that are done are looked for while the server closes. */
const sweepMs = 50;

/**
 * Share of the grace period in which a request that is on its way may arrive. It is refused in any case; without an end, a
 * caller who stopped sending would hold up each stop for the whole of the grace period.
 */
const arrivalShare = 1 / 4;

/** How long the answers to those who waited may take beyond the grace period. */
const lastAnswersMs = 1_000;

/** Ends the connections of a gateway that stops. */
export interface Drain {
  /**
   * Sends what is owed, then closes the listener and all connections. A request that has not wholly arrived when that is done,
   * and a quarter of `graceMs` is over, is 503. After all of it those who still wait are told by `giveUp`, and soon after what is left is cut off.
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
  /** Those on which a request has had its answer, which may still be arriving. */
  const answered = new WeakSet<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.server.on('request', ({ socket }, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => {
      answers.delete(response);
      answered.add(socket);
    });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('Connection', 'close');
    done();
  });

  /** On all connections that neither wait for an answer nor idle. */
  const refuseUnfinishedRequests = () => {
    const asking = new Set([...answers].map(({ req }) => req.socket));
    for (const socket of sockets) {
      // A second answer to a request that still arrives would be taken for that to the next.
      if (answered.has(socket) && !asking.has(socket)) socket.destroy();
      else refuseUnfinished(socket, notReady());
    }
  };

  const sweep = (isArrivalOver: boolean) => {
    // One on which nothing was ever sent is for Node one whose request is on its way.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // Node takes a connection for idle once its answer is written, and would cut it off for a caller who reads slowly.
    if (owedOf(answers).length > 0) return;
    app.server.closeIdleConnections();
    if (isArrivalOver) refuseUnfinishedRequests();
  };

  const closeServer = async (arrivalEnds: number) => {
    const sweeps = setInterval(() => sweep(performance.now() >= arrivalEnds), sweepMs);
    await app.close().finally(() => clearInterval(sweeps));
  };

  return {
    close: async (graceMs, giveUp) => {
      const arrivalEnds = performance.now() + graceMs * arrivalShare;
      const { promise: graceOver, resolve } = Promise.withResolvers<void>();
      const grace = setTimeout(resolve, graceMs);
      await Promise.race([sentOf(answers), graceOver]);
      const closed = closeServer(arrivalEnds);
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
  await Promise.all(owedOf(answers).map((answer) => new Promise((closed) => answer.once('close', closed))));
}

/** Answers to requests that have wholly arrived, and those that are being sent. */
function owedOf(answers: ReadonlySet<ServerResponse>): ServerResponse[] {
  return [...answers].filter(({ req, headersSent }) => req.complete || headersSent);
}
