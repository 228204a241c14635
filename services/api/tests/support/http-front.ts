import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a front has received. */
interface Received {
  path: string;
  body: string;
}

/** What a front does itself: it answers with an error of the service, or breaks the connection. */
type OwnAnswer = { status: number; code: string; details: unknown } | 'broken';

/** A server that stands before a service. */
export interface HttpFront {
  url: string;
  stop(): void;
}

/** Starts a front that forwards each request to the service of `target` for which `answerOf` returns undefined. */
export async function startHttpFront(
  target: string,
  answerOf: (received: Received) => OwnAnswer | undefined,
): Promise<HttpFront> {
  const forward = async (request: IncomingMessage, body: string) => {
    const { method = 'POST', headers, url } = request;
    return await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(`${target}${url}`, { method, headers }, resolve).on('error', reject).end(body);
    });
  };
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const own = answerOf({ path: request.url ?? '', body });
      if (own === 'broken') request.socket.destroy();
      else if (own === undefined) {
        const answer = await forward(request, body);
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      } else {
        const { status, code, details } = own;
        response.writeHead(status, { 'content-type': 'application/json', 'x-service-request-id': 'front' });
        response.end(JSON.stringify({ error: { code, message: `Refused: ${code}.`, details } }));
      }
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
