import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { type ServiceError, serviceError } from './errors/index.ts';
import type { JsonValue } from './json.ts';

/** What a cursor is good for. It opens only in the list and for the tenant that it was made for. */
export interface CursorBinding {
  tenantId: number;
  operation: string;
  /** What else the list was asked for, where the cursor does not say it itself. */
  query?: JsonValue;
}

/** How long a cursor of a list of Scopes or Artifacts is good (spec 10 §6.4). */
const cursorLifeMs = 3_600_000;

/** Enough of HMAC-SHA-256 that nobody forges a cursor (RFC 2104 §5 allows half). */
const tagBytes = 16;

/**
 * Opaque, signed list cursors (spec 00 §5). Each gateway of a deployment has the same key, so that a cursor of one
 * is good on another.
 */
export class CursorCodec {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  encode(binding: CursorBinding, position: JsonValue): string {
    const body = Buffer.from(JSON.stringify(position), 'utf8');
    return Buffer.concat([this.#tag(binding, body), body]).toString('base64url');
  }

  /** The position that `encode` was given. Throws 400 `invalid_cursor` for anything else. */
  decode(binding: CursorBinding, cursor: string): JsonValue {
    const bytes = Buffer.from(cursor, 'base64url');
    const isCanonical = bytes.toString('base64url') === cursor;
    const tag = bytes.subarray(0, tagBytes);
    const body = bytes.subarray(tagBytes);
    if (!isCanonical || tag.length < tagBytes || !timingSafeEqual(tag, this.#tag(binding, body))) {
      throw invalidCursor();
    }
    return JSON.parse(body.toString('utf8')) as JsonValue;
  }

  /** As `encode`, good for 3600 s from `now`. */
  encodeExpiring(binding: CursorBinding, position: JsonValue, now: Date): string {
    return this.encode(binding, [now.getTime() + cursorLifeMs, position]);
  }

  /** The position that `encodeExpiring` was given. Throws 400 `invalid_cursor`, and 410 `cursor_expired` after its time. */
  decodeExpiring(binding: CursorBinding, cursor: string, now: Date): JsonValue {
    const parsed = this.decode(binding, cursor);
    if (!Array.isArray(parsed)) throw invalidCursor();
    const [expiresAt, position] = parsed;
    if (typeof expiresAt !== 'number' || position === undefined) throw invalidCursor();
    if (now.getTime() >= expiresAt) throw cursorExpired();
    return position;
  }

  #tag({ tenantId, operation, query }: CursorBinding, body: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${tenantId}\n${operation}\n`);
    if (query !== undefined) hmac.update(`${canonicalJson(query)}\n`);
    return hmac.update(body).digest().subarray(0, tagBytes);
  }
}

/** 400: the cursor was altered, or made for another query. */
export function invalidCursor(): ServiceError {
  return serviceError('invalid_cursor');
}

function cursorExpired(): ServiceError {
  return serviceError('cursor_expired');
}
