import { createHash } from 'node:crypto';

/** A route that is not an operation: a document, a page for people, or an asset of such a page. */
export interface Page {
  method: 'GET';
  path: string;
  contentType: string;
  /** The result of `cached` is cached from the first request on. `rendered` is called for each request. */
  body: { cached: () => Buffer } | { rendered: () => Rendered };
}

export interface Rendered {
  body: string;
  headers: Record<string, string>;
}

/** Strong validator of a body that does not change while the process runs (RFC 9110 §8.8.3). */
export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` matches the tag, by weak comparison (RFC 9110 §13.1.2). */
export function hasMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
