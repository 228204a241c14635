import type { IncomingMessage } from 'node:http';
import { credentialPrefix } from '@continuity/contract/remote-skills';
import { type Settings, type Sql, serviceError } from '@continuity/shared/kernel';
import { type CredentialHolder, findCredentialHolder } from '@continuity/shared/remote-skills';
import { authorizationOf, bearerOf } from './authenticate.ts';

/** Finds the target of a request by its credential. Throws one and the same 401 for all that is no credential of an active target. */
export async function authenticateTarget(sql: Sql, request: IncomingMessage): Promise<CredentialHolder> {
  const credential = bearerOf(authorizationOf(request));
  const holder = credential === undefined ? undefined : await findCredentialHolder(sql, credential);
  if (holder === undefined) throw serviceError('unauthorized');
  return holder;
}

/** Throws 401 for the credential of a target: it opens the operations of Receivers and nothing else (spec 40 §9). */
export function refuseCredential({ rawHeaders }: IncomingMessage): void {
  const isAuthorization = (index: number) => rawHeaders[index - 1]?.toLowerCase() === 'authorization';
  const isRefused = rawHeaders.some(
    (value, index) =>
      index % 2 === 1 && isAuthorization(index) && bearerOf(value)?.startsWith(credentialPrefix),
  );
  if (isRefused) throw serviceError('unauthorized');
}

/** Throws 401 for a request of a Receiver that did not come over HTTPS, where the deployment demands it. */
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

/** Whether an address is that of this machine, in IPv4, in IPv6, or IPv4 in IPv6. */
function isLoopback(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
