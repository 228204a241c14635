import { createHash } from 'node:crypto';

/** Something of the service that is not an operation: a document, a page for people, or what such a page loads. */
export interface Page {
  method: 'GET';
  path: string;
  contentType: string;
  /** The body, made anew for each request where it is a function. */
  body: Buffer | (() => Rendered);
  headers?: Record<string, string>;
}

export interface Rendered {
  body: string;
  headers: Record<string, string>;
}

/** Strong validator of a body that does not change while the process runs (RFC 9110 §8.8.3). */
export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** True where `If-None-Match` names the tag, so that 304 does (RFC 9110 §13.1.2: compared weakly). */
export function hasMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
