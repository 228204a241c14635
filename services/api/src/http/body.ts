import { isUtf8 } from 'node:buffer';
import { findJsonIssues, invalidRequest, type ServiceError, serviceError } from '@continuity/shared/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * JSON bodies only, read whole. They are parsed after path, query and headers were judged (spec 10 §1.2), so that is left
 * to the route.
 */
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

/** 415 for a body that says it is in another character set than UTF-8, or the part of it that is ASCII. */
function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return;
  throw serviceError('unsupported_media_type');
}

/**
 * The JSON value of a body; undefined for an empty one. Throws 422, also for what no stored value may hold (spec 00 §2).
 */
export function parseBody(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const value = parseJson(decode(body));
  const issues = findJsonIssues(value);
  if (issues.length > 0) throw invalidRequest(issues);
  return value;
}

/** A byte-order mark is no part of the text. */
function decode(body: Buffer): string {
  if (!isUtf8(body)) throw invalidRequest([{ path: '', message: 'The body is not UTF-8.' }]);
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A RangeError would be nesting beyond what the parser can take.
    const message = error instanceof SyntaxError ? 'The body is not JSON.' : 'The body is nested too deep.';
    throw invalidRequest([{ path: '', message }]);
  }
}

/** The errors of Fastify's own body reading as errors of the contract. */
export function fromFastifyError(
  error: { code?: unknown; statusCode?: unknown },
  bodyLimit: number,
): ServiceError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return serviceError('body_too_large', {
        message: `The body exceeds ${bodyLimit} bytes. Send a smaller one.`,
        details: { limit_bytes: bodyLimit },
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return serviceError('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return wrongLength();
    case 'ECONNRESET':
      // Only reading a body puts a status beside it. Without one the connection that broke was not the caller's.
      return error.statusCode === undefined ? undefined : wrongLength();
    default:
      return undefined;
  }
}

function wrongLength(): ServiceError {
  return invalidRequest([{ path: '', message: 'The body is not as long as Content-Length says.' }]);
}
