import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One prepared behavior of the server. */
export type Step = { cut: true } | { hang: true } | Answer;

interface Answer {
  status: number;
  body?: unknown;
  /** The page of another program, which has no request id. */
  text?: string;
  headers?: Record<string, string>;
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An HTTP server that answers its n-th request by the n-th step, and each further one by the last. */
export async function startScripted(steps: Step[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    // The caller gave up before it had sent the whole request.
    if (body === undefined) return;
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body });
    take(steps[Math.min(received.length, steps.length) - 1], response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function take(step: Step | undefined, response: ServerResponse): void {
  if (step === undefined || 'hang' in step) return;
  if ('cut' in step) response.destroy();
  else response.writeHead(step.status, headersOf(step)).end(step.text ?? JSON.stringify(step.body ?? {}));
}

/** Every answer of the service has a request id. */
function headersOf({ text: page, headers }: Answer): Record<string, string> {
  return { ...(page === undefined && { 'x-service-request-id': 'request-1' }), ...headers };
}

/** An error answer of the service. */
export function refusal(status: number, code: string, details: object = {}, retryAfter?: number): Step {
  return {
    status,
    body: { error: { code, message: `${code}.`, details } },
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  };
}
