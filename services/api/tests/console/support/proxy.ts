import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does with a request: forwards it, cuts the connection before or after the service answered, or answers by itself. */
export type Treatment =
  | 'forward'
  | 'cut-before'
  | 'cut-after'
  | { delayMs: number }
  | { status: number; body: unknown; headers?: Record<string, string> };

export interface TestProxy {
  url: string;
  /** Decides about the requests from now on. */
  treat(choose: (request: { method: string; path: string; token: string | undefined }) => Treatment): void;
  stop(): Promise<void>;
}

/**
 * An HTTP proxy before a service, for the faults of the tests. `prefix` is removed from each path, as a reverse proxy does that serves
 * the service below a path.
 */
export async function startProxy(target: string, prefix = ''): Promise<TestProxy> {
  let choose: Parameters<TestProxy['treat']>[0] = () => 'forward';
  const server = createServer((incoming, answer) => {
    const path = (incoming.url ?? '/').slice(prefix.length) || '/';
    const token = incoming.headers.authorization?.replace(/^Bearer /, '');
    const treatment = choose({ method: incoming.method ?? 'GET', path, token });
    if (typeof treatment === 'object' && 'status' in treatment) {
      incoming.resume();
      answer
        .writeHead(treatment.status, {
          'content-type': 'application/json',
          'x-service-request-id': '0'.repeat(32),
          ...treatment.headers,
        })
        .end(JSON.stringify(treatment.body));
    } else if (treatment === 'cut-before') incoming.socket.destroy();
    else if (typeof treatment === 'object')
      setTimeout(() => forward(target, path, incoming, answer), treatment.delayMs);
    else forward(target, path, incoming, answer, treatment === 'cut-after');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    treat: (next) => {
      choose = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function forward(
  target: string,
  path: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  isCut = false,
): void {
  const outgoing = request(
    new URL(path, target),
    { method: incoming.method, headers: incoming.headers },
    (received) => {
      if (isCut) {
        received.resume();
        received.once('end', () => incoming.socket.destroy());
        return;
      }
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    },
  );
  outgoing.once('error', () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}
