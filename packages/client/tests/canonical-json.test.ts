import canonicalize from 'canonicalize';
import { assert, constant, json, jsonValue, oneof, property } from 'fast-check';
import { test } from 'vitest';
import { canonicalJson } from '../src/receiver/canonical-json.ts';

test('the canonical form is that of RFC 8785, as the service writes it', () => {
  const values = oneof(
    jsonValue(),
    json().map((text) => JSON.parse(text) as unknown),
    constant({ 10: 1, 9: 2, ü: 3, u: 4, '\ue000': 5, '😀': 6 }),
  );
  assert(
    property(values, (value) => canonicalJson(value) === canonicalize(value)),
    { numRuns: 500 },
  );
});
