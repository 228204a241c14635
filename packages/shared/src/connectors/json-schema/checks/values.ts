import { codePointLength } from '@continuity/contract/text';
import type { JsonValue } from '@continuity/kernel/json';
import { isMultipleOf } from '../multiple-of.ts';
import { JsonSet } from './json-set.ts';
import { assertion, type Keyword, type MakeCheck, requireParsed } from './keyword.ts';

/** Keywords that depend on the value alone. */
export const valueChecks: Record<string, MakeCheck> = {
  type: (keyword) => {
    const types = new Set([keyword.value].flat());
    return assertion(
      keyword,
      (value) => types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value)),
    );
  },
  const: (keyword) => memberOf(keyword, [keyword.value]),
  enum: (keyword) => memberOf(keyword, keyword.value as JsonValue[]),

  multipleOf: (keyword) => ofNumbers(keyword, isMultipleOf),
  maximum: (keyword) => ofNumbers(keyword, (value, limit) => value <= limit),
  exclusiveMaximum: (keyword) => ofNumbers(keyword, (value, limit) => value < limit),
  minimum: (keyword) => ofNumbers(keyword, (value, limit) => value >= limit),
  exclusiveMinimum: (keyword) => ofNumbers(keyword, (value, limit) => value > limit),

  maxLength: (keyword) => ofStrings(keyword, (value) => codePointLength(value) <= Number(keyword.value)),
  minLength: (keyword) => ofStrings(keyword, (value) => codePointLength(value) >= Number(keyword.value)),
  pattern: (keyword) => {
    const pattern = requireParsed(keyword.document.patterns.get(String(keyword.value)));
    return ofStrings(keyword, (value) => pattern.test(value));
  },
};

function memberOf(keyword: Keyword, values: JsonValue[]) {
  const members = new JsonSet(values);
  return assertion(keyword, (value) => members.has(value));
}

function ofNumbers(keyword: Keyword, holds: (value: number, limit: number) => boolean) {
  const limit = Number(keyword.value);
  return assertion(keyword, (value) => typeof value !== 'number' || holds(value, limit));
}

function ofStrings(keyword: Keyword, holds: (value: string) => boolean) {
  return assertion(keyword, (value) => typeof value !== 'string' || holds(value));
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
