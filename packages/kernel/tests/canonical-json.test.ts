import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalJsonWithin } from '../src/json/canonical-json.ts';
import type { JsonValue } from '../src/json/json.ts';
import { utf8Length } from '../src/text/text.ts';

test('canonical JSON is given within exactly as many bytes as it has', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (given) => {
      const value = given as JsonValue;
      const text = canonicalJson(value);
      const bytes = utf8Length(text);
      expect(canonicalJsonWithin('at', value, bytes)).toEqual({ canonical: text, issues: [] });
      const { issues } = canonicalJsonWithin('at', value, bytes - 1);
      expect(issues).toMatchObject([{ path: 'at', message: expect.stringContaining(`, and has ${bytes}`) }]);
    }),
  );
});
