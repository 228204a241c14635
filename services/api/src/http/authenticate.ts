import type { IncomingMessage } from 'node:http';
import type { TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type SealedToken, sealToken, type TokenHolder } from '@continuity/shared/tenants';
import type { FastifyRequest } from 'fastify';
import type { AssembledRuntime } from '../assemble-runtime.ts';

/** The sender of a request. `anyone`: authentication is off, and the request works for the default tenant. */
export type Requester = TokenHolder | { role: 'anyone'; tenantId: TenantId; actor: null };

const bearer = /^bearer +([\x21-\x7e]+) *$/i;

/**
 * Identifies the sender of a request by its `Authorization` header. Throws 401 for an unknown one if authentication is on.
 *
 * @param message what the 401 says, in place of its usual message
 */
export function authenticate(
  { tokens, defaultTenantId }: AssembledRuntime,
  request: IncomingMessage,
  message?: string,
): Requester {
  if (tokens === null) {
    if (defaultTenantId === undefined) throw serviceError('database_unavailable');
    return { role: 'anyone', tenantId: defaultTenantId, actor: null };
  }
  const token = sealedTokenOf(request);
  const holder = token === undefined ? undefined : tokens.find(token);
  if (holder === undefined) throw serviceError('unauthorized', message === undefined ? {} : { message });
  return holder;
}

/** Sealed tokens of requests: on several database servers, a request is looked up in several registers. */
const sealedTokens = new WeakMap<IncomingMessage, SealedToken>();

/** The sealed token of a request with the scheme Bearer. Throws as `authorizationOf`. */
export function sealedTokenOf(request: IncomingMessage): SealedToken | undefined {
  const known = sealedTokens.get(request);
  if (known !== undefined) return known;
  const token = bearerOf(authorizationOf(request));
  if (token === undefined) return undefined;
  const sealed = sealToken(token);
  sealedTokens.set(request, sealed);
  return sealed;
}

/** The token of an `Authorization` header with the scheme Bearer. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}

/** Throws 401 for several headers: Node would drop all but the first. */
export function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (names.length > 1)
    throw serviceError('unauthorized', { message: 'Send one `Authorization` header, not several.' });
  return headers.authorization;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Role that the token must have. Without it, an operation requires a tenant's token, and another route accepts any. */
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
