import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, hasMatch, type Page, type Rendered } from './page.ts';

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
