import { randomBytes, timingSafeEqual } from 'node:crypto';
import { codePrefix, credentialPrefix } from '@continuity/contract/remote-skills';
import { hashHex } from '@continuity/kernel/json';

// The database stores only the SHA-256 of codes and credentials. They have 256 random bits, so they need no slow hash.

/** Makes a one-time enrollment code. */
export function newCode(): string {
  return codePrefix + randomBytes(32).toString('base64url');
}

/** Makes a credential. */
export function newCredential(): string {
  return `${credentialPrefix}${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`;
}

const credentialPattern = new RegExp(`^${credentialPrefix}[0-9a-f]{32}\\.[A-Za-z0-9_-]{43}$`);

/** Whether a token has the form of a credential. Any other token is rejected without a query. */
export function isCredential(token: string): boolean {
  return credentialPattern.test(token);
}

export function hashSecret(secret: string): string {
  return hashHex(secret);
}

/** Compares two hashes in constant time. */
export function isSameHash(left: string | null, right: string): boolean {
  return left?.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
