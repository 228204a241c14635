import { type RawReply, readError } from '@continuity/testing';
import { expect } from 'vitest';
import type { RawHttpReply } from './raw-http.ts';

/** Checks an error answer: status, code, request id, media type, closed envelope and the headers of its status. */
export function expectError(reply: RawReply | RawHttpReply, status: number, code: string): void {
  const { json, headers } = reply;
  expect({ status: reply.status, json }).toMatchObject({ status, json: { error: { code } } });
  readError(json);
  expect(headers.get('x-service-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status === 503 || status === 429) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
}

/** Header lines of a raw request with this body. */
export function withLength(body: string | Uint8Array, mediaType = 'application/json'): string[] {
  return [`Content-Type: ${mediaType}`, `Content-Length: ${Buffer.byteLength(body)}`];
}
