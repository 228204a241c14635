import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serviceError } from '@continuity/kernel/errors';
import type { FastifyInstance } from 'fastify';
import { refuseUnfinished } from './errors.ts';

/** Interval between checks for finished connections during a stop. */
const sweepMs = 50;

/**
 * Share of the grace period in which a partly received request may arrive completely. It gets a 503 in any case. Without this
 * limit, a caller who stops sending would delay each stop by the whole grace period.
 */
const arrivalShare = 1 / 4;

/** Time for the last answers beyond the grace period. */
const lastAnswersMs = 1_000;

/** Closes the connections of a stopping gateway. */
interface Drain {
  /**
   * Completes the pending answers, then closes the listener and all connections. A request that has not arrived completely by then,
   * and after a quarter of `graceMs`, gets a 503. After `graceMs`, `giveUp` answers the waiting requests, and the remaining connections are cut.
   */
  close(graceMs: number, giveUp: () => Promise<void>): Promise<void>;
}

/**
 * Tracks connections and answers; call it before the server listens. While `isLeaving`, each answer closes its connection,
 * because a connection that a caller keeps open would delay the stop.
 */
export function watchConnections(app: FastifyInstance, isLeaving: () => boolean): Drain {
  const sockets = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  /** Connections whose answer is written but may not have arrived. */
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
    if (isLeaving()) reply.header('Connection', 'close');
    done();
  });

  /** Answers on all connections that neither wait for an answer nor are idle. */
  const refuseUnfinishedRequests = () => {
    const asking = new Set([...answers].map(({ req }) => req.socket));
    for (const socket of sockets) {
      // The caller would take a second answer to a partly received request for the answer to its next one.
      if (answered.has(socket) && !asking.has(socket)) socket.destroy();
      else refuseUnfinished(socket, serviceError('runtime_not_ready'));
    }
  };

  const sweep = (isArrivalOver: boolean) => {
    // Node counts a connection without any bytes as one with a partly received request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // Node counts a connection as idle once the answer is written, and would cut off a slow reader.
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
 * Resolves when all bytes of the current answers are sent, however slowly the callers read, or the callers have disconnected.
 * Does not wait for partly received requests, which get a 503 once they have arrived.
 */
async function sentOf(answers: ReadonlySet<ServerResponse>): Promise<void> {
  await Promise.all(owedOf(answers).map((answer) => new Promise((closed) => answer.once('close', closed))));
}

/** Answers to completely received requests, and answers in transmission. */
function owedOf(answers: ReadonlySet<ServerResponse>): ServerResponse[] {
  return [...answers].filter(({ req, headersSent }) => req.complete || headersSent);
}
