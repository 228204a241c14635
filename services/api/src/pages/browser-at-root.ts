import type { FastifyRequest } from 'fastify';

/** Whether a browser requests the root of the service. A browser accepts HTML; other clients get the 404 of the contract. */
export function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url === '/' && (headers.accept ?? '').includes('text/html');
}
