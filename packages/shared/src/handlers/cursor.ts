import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import { z } from 'zod';

/** The list and tenant that a cursor belongs to. It is invalid in any other. */
interface CursorBinding {
  tenantId: TenantId;
  operation: string;
  /** The parameters of the list that the position does not contain. */
  query?: JsonValue;
}

/** Lifetime of an expiring cursor (spec 10 §6.4). */
const cursorLifeMs = 3_600_000;

/** HMAC-SHA-256 truncated to half its length, as RFC 2104 §5 allows. */
const tagBytes = 16;

/** Opaque, signed list cursors (spec 00 §5). All gateways of a deployment share the key and accept each other's cursors. */
export class CursorCodec {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  encode(binding: CursorBinding, position: JsonValue): string {
    const body = Buffer.from(JSON.stringify(position), 'utf8');
    return Buffer.concat([this.#tag(binding, body), body]).toString('base64url');
  }

  /**
   * Returns the position of a cursor. Throws 400 `invalid_cursor` if the cursor or its binding was altered, or if the position
   * does not have the shape, as one of another release may not.
   */
  decode<Position>(binding: CursorBinding, cursor: string, shape: z.ZodType<Position>): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const isCanonical = bytes.toString('base64url') === cursor;
    const tag = bytes.subarray(0, tagBytes);
    const body = bytes.subarray(tagBytes);
    if (!isCanonical || tag.length < tagBytes || !timingSafeEqual(tag, this.#tag(binding, body))) {
      throw invalidCursor();
    }
    const parsed = shape.safeParse(JSON.parse(body.toString('utf8')));
    if (!parsed.success) throw invalidCursor();
    return parsed.data;
  }

  /** As `encode`; the cursor expires 3600 s after `now`. */
  encodeExpiring(binding: CursorBinding, position: JsonValue, now: Date): string {
    return this.encode(binding, [now.getTime() + cursorLifeMs, position]);
  }

  /** As `decode`, for cursors of `encodeExpiring`. Throws 410 `cursor_expired` after its lifetime. */
  decodeExpiring<Position>(
    binding: CursorBinding,
    cursor: string,
    shape: z.ZodType<Position>,
    now: Date,
  ): Position {
    const [expiresAt, position] = this.decode(binding, cursor, z.tuple([z.number(), shape]));
    if (now.getTime() >= expiresAt) throw cursorExpired();
    return position;
  }

  #tag({ tenantId, operation, query }: CursorBinding, body: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${tenantId}\n${operation}\n`);
    if (query !== undefined) hmac.update(`${canonicalJson(query)}\n`);
    return hmac.update(body).digest().subarray(0, tagBytes);
  }
}

/** The 400 for a cursor that was altered or belongs to another query. */
export function invalidCursor(): ServiceError {
  return serviceError('invalid_cursor');
}

function cursorExpired(): ServiceError {
  return serviceError('cursor_expired');
}
