import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTraceParent, parseTraceParent } from '../../src/telemetry/tracing.ts';

const hex = (length: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
    .filter((text) => /[^0]/.test(text));

test('what is formatted is parsed to the same position', () => {
  fc.assert(
    fc.property(hex(32), hex(16), fc.integer({ min: 0, max: 255 }), (traceId, spanId, traceFlags) => {
      const text = formatTraceParent({ traceId, spanId, traceFlags });
      expect(parseTraceParent(text)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
    }),
  );
});

test('any text is parsed or refused, and a later version is read as far as it is known', () => {
  fc.assert(fc.property(fc.string(), (text) => parseTraceParent(text) === undefined));
  expect(parseTraceParent('01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-new')?.spanId).toBe(
    'b7ad6b7169203331',
  );
  expect(parseTraceParent(null)).toBeUndefined();
});
