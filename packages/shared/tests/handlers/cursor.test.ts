import type { TenantId } from '@continuity/kernel/database';
import { ServiceError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import { CursorCodec } from '@continuity/shared/handlers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';

const codec = new CursorCodec(Buffer.alloc(32, 7));
const binding = { tenantId: 1 as TenantId, operation: 'list_things' };

const refused = (work: () => unknown) => {
  expect(work).toThrow(ServiceError);
  expect(work).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
};

test('spec 00 §5: a cursor opens where it was made, on every process with the key', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (position) => {
      const cursor = codec.encode(binding, position as JsonValue);
      expect(new CursorCodec(Buffer.alloc(32, 7)).decode(binding, cursor, z.unknown())).toEqual(
        JSON.parse(JSON.stringify(position)),
      );
    }),
  );
});

test('spec 00 §5: a cursor that was altered in any character is refused', () => {
  const cursor = codec.encode(binding, ['scope', 3, false, 'id']);
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    refused(() =>
      codec.decode(binding, cursor.slice(0, index) + other + cursor.slice(index + 1), z.unknown()),
    );
  }
  for (const altered of ['', 'x', `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(1)]) {
    refused(() => codec.decode(binding, altered, z.unknown()));
  }
});

test('spec 00 §5: a cursor of another tenant, list or deployment is refused', () => {
  const cursor = codec.encode(binding, 1);
  refused(() => codec.decode({ ...binding, tenantId: 2 as TenantId }, cursor, z.unknown()));
  refused(() => codec.decode({ ...binding, operation: 'list_others' }, cursor, z.unknown()));
  refused(() => new CursorCodec(Buffer.alloc(32, 8)).decode(binding, cursor, z.unknown()));
});

test('a cursor whose position has another shape is refused', () => {
  refused(() => codec.decode(binding, codec.encode(binding, ['scope', 3]), z.tuple([z.string()])));
  refused(() => codec.decode(binding, codec.encode(binding, 'scope'), z.tuple([z.string()])));
});
