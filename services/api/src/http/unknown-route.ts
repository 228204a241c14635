import type { OperationSpec } from '@continuity/contract';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rawPath } from './raw-path.ts';

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

/** A path of the service as its segments; null for a parameter. */
interface KnownPath {
  method: string;
  segments: (string | null)[];
}

/** Finds the methods of a raw path, for the `Allow` header of a 405. */
export class MethodTable {
  readonly #paths: KnownPath[];

  constructor(routes: readonly Pick<OperationSpec, 'method' | 'path'>[]) {
    this.#paths = routes.map(({ method, path }) => ({
      method,
      segments: path.split('/').map((segment) => (segment.startsWith('{') ? null : segment)),
    }));
  }

  /** The methods of the path, HEAD beside GET; empty for an unknown one. */
  allowed(rawUrl: string): string[] {
    const segments = rawPath(rawUrl).split('/');
    const known = this.#paths.filter((path) => matches(path.segments, segments));
    const methods = mostLiteral(known).map(({ method }) => method);
    return [...new Set(methods.includes('GET') ? ['GET', 'HEAD', ...methods] : methods)];
  }
}

function matches(pattern: (string | null)[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part === null ? segments[index] !== '' : part === segments[index]));
}

/** Of several matching paths, those that the router prefers: a literal segment wins over a parameter, from left to right. */
function mostLiteral(paths: KnownPath[]): KnownPath[] {
  const rank = ({ segments }: KnownPath) => segments.map((segment) => (segment === null ? 1 : 0)).join('');
  const [best] = paths.map(rank).sort();
  return paths.filter((path) => rank(path) === best);
}
