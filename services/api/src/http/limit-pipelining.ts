import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Most requests of one connection that are under way: from the start of the first hook until the answer is sent. */
const maxUnderWay = 32;

interface Connection {
  underWay: number;
  /** Starts the requests that have arrived and wait, in order. */
  waiting: (() => void)[];
}

/**
 * Limits the pipelined requests of a connection. The gateway reads no more of a connection while a request waits, so that
 * at most those of one read, 64 KiB, wait. Register it before the hooks that work for a request.
 */
export function limitPipelining(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? { underWay: 0, waiting: [] };
    connections.set(socket, connection);
    const start = () => {
      connection.underWay += 1;
      reply.raw.once('close', () => {
        connection.underWay -= 1;
        startNext(socket, connection);
      });
      done();
    };
    if (connection.underWay < maxUnderWay) start();
    else wait(socket, connection, start);
  });
}

function wait(socket: Socket, { waiting }: Connection, start: () => void): void {
  waiting.push(start);
  if (waiting.length > 1) return;
  socket.pause();
  // Reading the body of a request that is under way resumes its socket.
  const pauseAgain = () => {
    if (waiting.length > 0) socket.pause();
    else socket.off('resume', pauseAgain);
  };
  socket.on('resume', pauseAgain);
}

function startNext(socket: Socket, connection: Connection): void {
  const start = connection.waiting.shift();
  if (start === undefined) return;
  if (connection.waiting.length === 0) socket.resume();
  start();
}
