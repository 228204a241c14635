import { invalidRequest, type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Reads JSON bodies as bytes. The route parses them after it has validated path, query and headers (spec 10 §1.2). */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      requireUtf8(request.headers['content-type'] ?? '');
      request.bodyBytes = body.length;
      return body;
    },
  );
}

/** Throws 415 for a declared character set other than UTF-8 and ASCII. */
function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return;
  throw serviceError('unsupported_media_type');
}

/** The contract's error for an error of Fastify while it read the body. */
export function fromFastifyError(
  error: { code?: unknown; statusCode?: unknown },
  bodyLimit: number,
  contentLength: string | undefined,
): ServiceError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return serviceError('body_too_large', {
        message: tooLarge(bodyLimit, contentLength),
        details: { limit_bytes: bodyLimit },
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return serviceError('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return wrongLength();
    case 'ECONNRESET':
      // Fastify adds a status only while it reads a body. Without one, another connection broke.
      return error.statusCode === undefined ? undefined : wrongLength();
    default:
      return undefined;
  }
}

/** Tells the size of a body that says it. A chunked one does not. */
function tooLarge(limit: number, contentLength: string | undefined): string {
  const size = Number(contentLength);
  return size > limit
    ? `The body has ${size} bytes, and the limit is ${limit}. Send a smaller one.`
    : `The body exceeds ${limit} bytes. Send a smaller one.`;
}

function wrongLength(): ServiceError {
  return invalidRequest([{ path: '', message: 'The body is not as long as Content-Length says.' }]);
}

/** Answers 415 to an encoded body of an operation or of MCP before reading it (spec 00 §2): the body limits count the bytes as sent. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { operation, page } = request.routeOptions.config;
    const takesBody = operation?.body !== undefined || page === 'mcp';
    const isRefused = takesBody && request.headers['content-encoding'] !== undefined;
    done(isRefused ? encodedBody() : null, payload);
  });
}

function encodedBody() {
  return serviceError('unsupported_media_type', {
    message: 'Send the body as it is, without Content-Encoding.',
  });
}
