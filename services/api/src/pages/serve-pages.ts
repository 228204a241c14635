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
      typeof body === 'function' ? sendRendered(page, body) : sendKept(page, body),
    );
  }
}

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Browsers may cache a page but must revalidate it, because it can require a token. */
function sendKept(page: Page, body: Buffer): Send {
  const tag = entityTag(body);
  return (request, reply) => {
    reply.headers({ 'Cache-Control': 'private, no-cache', ETag: tag, ...page.headers });
    if (hasMatch(request.headers['if-none-match'], tag)) return reply.status(304).send();
    return reply.type(page.contentType).send(body);
  };
}

function sendRendered(page: Page, render: () => Rendered): Send {
  return (_request, reply) => {
    const { body, headers } = render();
    return reply
      .headers({ 'Cache-Control': 'no-store', ...page.headers, ...headers })
      .type(page.contentType)
      .send(body);
  };
}
