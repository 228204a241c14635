import type { OperationSpec } from '@continuity/contract';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MethodTable } from './method-not-allowed.ts';

/** The 404 for a path that is none of the service. */
export function unknownRoute(): ServiceError {
  return serviceError('not_found');
}

/** Returns a function that throws 404 for an unknown path, and 405 with `Allow` for a method that a path does not take. */
export function refuseUnknownRoutes(
  routes: readonly Pick<OperationSpec, 'method' | 'path'>[],
): (request: FastifyRequest, reply: FastifyReply) => never {
  const methods = new MethodTable(routes);
  return (request, reply) => {
    const allowed = methods.allowed(request.originalUrl);
    if (allowed.length === 0) throw unknownRoute();
    reply.header('Allow', allowed.join(', '));
    throw serviceError('method_not_allowed', { message: `Use ${allowed.join(' or ')} here.` });
  };
}
