import { serviceError } from '@continuity/shared/kernel';
import type { Assembled } from '../runtime.ts';

const bearer = /^bearer +([\x21-\x7e]+) *$/i;

/** The tenant of a request by its `Authorization` header, or the default tenant if authentication is off. Throws 401. */
export function authenticate(
  { tokens, defaultTenantId }: Assembled,
  authorization: string | undefined,
): number {
  if (tokens === null) return defaultTenantId;
  const token = bearer.exec(authorization ?? '')?.[1];
  const tenantId = token === undefined ? undefined : tokens.tenantOf(token);
  if (tenantId !== undefined) return tenantId;
  throw serviceError('unauthorized');
}
