import { serviceError } from '@continuity/kernel/errors';
import type { FastifyInstance } from 'fastify';

/** Answers 415 to an encoded body of an operation before reading it (spec 00 §2): the body limits count the bytes as sent. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { operation } = request.routeOptions.config;
    const isRefused = operation?.body !== undefined && request.headers['content-encoding'] !== undefined;
    done(isRefused ? encodedBody() : null, payload);
  });
}

function encodedBody() {
  return serviceError('unsupported_media_type', {
    message: 'Send the body as it is, without Content-Encoding.',
  });
}
