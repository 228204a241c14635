import { serviceError } from '@continuity/kernel/errors';
import type { FastifyRequest } from 'fastify';
import type { Requester } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Role that a token needs for the route. Absent: any, but that of a tenant for an operation. */
    role?: 'operator' | 'tenant';
  }
}

/** Throws 403 where a route needs another role, and 401 where an operator asks for the data of a tenant. */
export function authorize({ role }: Requester, { routeOptions }: FastifyRequest): void {
  const { config } = routeOptions;
  if (config.role === 'operator' && role === 'tenant') throw serviceError('forbidden');
  if ((config.operation !== undefined || config.role === 'tenant') && role === 'operator') {
    throw serviceError('unauthorized', {
      message:
        'This token has the role `operator`, which opens the data of no tenant. Send a token of a tenant.',
    });
  }
}
