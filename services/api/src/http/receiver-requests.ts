import type { IncomingMessage } from 'node:http';
import { credentialPrefix } from '@continuity/contract/remote-skills';
import type { Settings } from '@continuity/kernel/config';
import type { Sql } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type CredentialHolder, findCredentialHolder } from '@continuity/shared/remote-skills';
import { authorizationOf, bearerOf } from './authenticate.ts';

/** Finds the target of a request by its credential. Undefined for anything but the credential of an active target. */
export async function findTarget(sql: Sql, request: IncomingMessage): Promise<CredentialHolder | undefined> {
  const credential = bearerOf(authorizationOf(request));
  return credential === undefined ? undefined : await findCredentialHolder(sql, credential);
}

/** Throws 401 for the credential of a target, which opens only the operations of Receivers (spec 40 §9). */
export function refuseCredential({ rawHeaders }: IncomingMessage): void {
  const isAuthorization = (index: number) => rawHeaders[index - 1]?.toLowerCase() === 'authorization';
  const isRefused = rawHeaders.some(
    (value, index) =>
      index % 2 === 1 && isAuthorization(index) && bearerOf(value)?.startsWith(credentialPrefix),
  );
  if (isRefused) throw serviceError('unauthorized');
}

/** Throws 401 for a request that did not come over HTTPS, if `REMOTE_REQUIRE_HTTPS` is on. */
export function requireHttps(
  { REMOTE_REQUIRE_HTTPS: isRequired }: Pick<Settings, 'REMOTE_REQUIRE_HTTPS'>,
  { headers, socket }: IncomingMessage,
): void {
  if (!isRequired) return;
  const protocol = headers['x-forwarded-proto'];
  const isSecure =
    protocol === undefined ? isLoopback(socket.remoteAddress) : String(protocol).toLowerCase() === 'https';
  if (!isSecure) throw serviceError('unauthorized');
}

/** Whether an address is a loopback address: IPv4, IPv6, or IPv4 mapped to IPv6. */
function isLoopback(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
