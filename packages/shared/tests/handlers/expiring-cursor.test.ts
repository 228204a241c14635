import type { TenantId } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { CursorCodec } from '@continuity/shared/handlers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';

const codec = new CursorCodec(Buffer.alloc(32, 7));
const binding = { tenantId: 1 as TenantId, operation: 'list', query: ['scope', 'memory'] };
const start = new Date('2026-11-20T12:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);

test('an expiring cursor gives back any position for 3600 s, then is 410', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.integer({ min: 0, max: 3_599_999 }),
      (value, ms) => {
        // JSON has no negative zero.
        const position = JSON.parse(JSON.stringify(value)) as JsonValue;
        const cursor = codec.encodeExpiring(binding, position, start);
        expect(codec.decodeExpiring(binding, cursor, z.unknown(), after(ms))).toEqual(position);
      },
    ),
  );
  const cursor = codec.encodeExpiring(binding, 'x', start);
  expect(() => codec.decodeExpiring(binding, cursor, z.unknown(), after(3_600_000))).toThrow(
    expect.objectContaining({ code: 'cursor_expired' }),
  );
});

test('a cursor opens for its own tenant, operation and query only, expired or not', () => {
  const cursor = codec.encodeExpiring(binding, 'x', start);
  const others = [
    { ...binding, tenantId: 2 as TenantId },
    { ...binding, operation: 'other' },
    { ...binding, query: ['scope', 'skill'] },
    { ...binding, query: ['scope\n', 'memory'] },
    { tenantId: 1 as TenantId, operation: 'list' },
  ];
  for (const other of others) {
    for (const now of [start, after(9_999_999)]) {
      expect(() => codec.decodeExpiring(other, cursor, z.unknown(), now)).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      );
    }
  }
  expect(() => codec.decodeExpiring(binding, codec.encode(binding, 'plain'), z.unknown(), start)).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }),
  );
});
