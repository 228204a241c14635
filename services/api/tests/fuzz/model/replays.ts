import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../player.ts';
import { type Draft, targetOf } from '../wire/draft.ts';

const header = 'idempotency-key';

/**
 * Spec 10 §1.8: of all requests with one `Idempotency-Key`, those with one body succeed, and they have one answer, headers
 * included.
 */
export function checkReplays(exchanges: Exchange[]): void {
  const first = new Map<string, Exchange>();
  for (const one of exchanges) {
    const { plain, place, draft } = one.request;
    const key = plain?.headers[header];
    if (key === undefined || one.answer.error !== undefined) continue;
    const identity = JSON.stringify([place.tenant, draft.method, targetOf(draft), scopeOf(draft), key]);
    const before = first.get(identity) ?? one;
    first.set(identity, before);
    if (isDeepStrictEqual(identityOf(one), identityOf(before))) continue;
    throw new Error(
      `Idempotency-Key ${key}: ${JSON.stringify(identityOf(one))} after ${JSON.stringify(identityOf(before))}`,
    );
  }
}

/** The Scope in the body of an accepted request: a key counts for one Scope. Undefined if the path names the Scope. */
function scopeOf({ body }: Draft): unknown {
  const text = body?.toString().replace(/^\uFEFF/, '') ?? '{}';
  return (JSON.parse(text) as { scope_id?: unknown }).scope_id;
}

function identityOf({ answer: { status, body, headers } }: Exchange): unknown {
  return { status, body, location: headers.get('location'), etag: headers.get('etag') };
}
