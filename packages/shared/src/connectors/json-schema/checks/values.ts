import { codePointLength } from '@continuity/contract/text';
import type { JsonValue } from '@continuity/kernel/json';
import { JsonSet } from './arrays.ts';
import { assertion, type Keyword, type MakeCheck, requireParsed } from './keyword.ts';

/**
 * Exact for the decimal numbers that JSON writes: 0.0075 is a multiple of 0.0001, although the doubles divide otherwise.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const scale = Math.min(exponent, divisorExponent);
  const scaled = digits * 10n ** BigInt(exponent - scale);
  return scaled % (divisorDigits * 10n ** BigInt(divisorExponent - scale)) === 0n;
}

/** The shortest decimal number that reads as this double: digits, and the power of ten that they are multiplied by. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

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
