import { randomBytes, timingSafeEqual } from 'node:crypto';
import { codePrefix, credentialPrefix } from '@continuity/contract/remote-skills';
import { hashHex } from '@continuity/shared/kernel';

// The database has the SHA-256 of codes and credentials alone. They have 256 random bits, so that no slow hash is needed.

/** Makes a one-time enrollment code. */
export function newCode(): string {
  return codePrefix + randomBytes(32).toString('base64url');
}

/** Makes a credential. */
export function newCredential(): string {
  return `${credentialPrefix}${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`;
}

const credentialPattern = new RegExp(`^${credentialPrefix}[0-9a-f]{32}\\.[A-Za-z0-9_-]{43}$`);

/** Whether a token has the form of a credential. Any other one is unknown, so no query is needed to reject it. */
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
