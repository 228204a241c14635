import type { FastifyRequest } from 'fastify';

/** Whether a person opened the address of the service in a browser, which asks for HTML. Programs get the 404 of the contract. */
export function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url === '/' && (headers.accept ?? '').includes('text/html');
}
