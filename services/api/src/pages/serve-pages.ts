import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A route that is not an operation: a document, a page for people, or an asset of such a page. */
export interface Page {
  method: 'GET';
  path: string;
  contentType: string;
  /** The result of `cached` is cached from the first request on. `rendered` is called for each request. */
  body: { cached: () => Buffer } | { rendered: () => Rendered };
}

export interface Rendered {
  body: string;
  headers: Record<string, string>;
}

/** Strong validator of a body that does not change while the process runs (RFC 9110 §8.8.3). */
export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` matches the tag, by weak comparison (RFC 9110 §13.1.2). */
export function hasMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}

/** Whether a browser requests the root of the service. A browser accepts HTML; other clients get the 404 of the contract. */
export function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url === '/' && (headers.accept ?? '').includes('text/html');
}

/** Registers a route for each page. Authentication applies as for any protected operation. */
export function servePages(app: FastifyInstance, pages: readonly Page[]): void {
  for (const page of pages) {
    const { body } = page;
    const config = { page: page.path.slice(1) };
    app.get(
      page.path,
      { config },
      'rendered' in body ? sendRendered(page, body.rendered) : sendCached(page, body.cached),
    );
  }
}

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Browsers may cache a page but must revalidate it, because it can require a token. */
function sendCached(page: Page, make: () => Buffer): Send {
  let cached: { body: Buffer; tag: string } | undefined;
  return (request, reply) => {
    cached ??= withTag(make());
    const { body, tag } = cached;
    reply.headers({ 'Cache-Control': 'private, no-cache', ETag: tag });
    if (hasMatch(request.headers['if-none-match'], tag)) return reply.status(304).send();
    return reply.type(page.contentType).send(body);
  };
}

function withTag(body: Buffer): { body: Buffer; tag: string } {
  return { body, tag: entityTag(body) };
}

function sendRendered(page: Page, render: () => Rendered): Send {
  return (_request, reply) => {
    const { body, headers } = render();
    return reply
      .headers({ 'Cache-Control': 'no-store', ...headers })
      .type(page.contentType)
      .send(body);
  };
}
