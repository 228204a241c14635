import { canonicalJson } from '../../canonical-json.ts';
import type { JsonValue } from '../../json.ts';
import { codePointLength } from '../../text.ts';
import type { TypeName } from '../keywords.ts';
import { compilePattern } from '../patterns.ts';
import type { Check } from '../run.ts';
import { isObject } from '../shape-problem.ts';
import { isMultipleOf } from './multiple-of.ts';

/** Makes the check of a keyword from its value alone. */
type Assertion = (value: JsonValue) => Check;

/** Keywords that need no other schema, each for the kinds of values that it is about. */
export const assertions: ReadonlyMap<string, Assertion> = new Map(
  Object.entries<Assertion>({
    type: (value) => {
      const names = (Array.isArray(value) ? value : [value]) as TypeName[];
      return (one, run) =>
        names.some((name) => isOfType(one, name)) || run.fail(`must be of the type ${names.join(' or ')}`);
    },
    const: (value) => {
      const expected = canonicalJson(value);
      return (one, run) =>
        canonicalJson(one) === expected || run.fail('is not the one value that is allowed');
    },
    enum: (value) => {
      const expected = new Set((value as JsonValue[]).map(canonicalJson));
      return (one, run) =>
        expected.has(canonicalJson(one)) || run.fail('is none of the values that are allowed');
    },

    multipleOf: numeric((one, bound) => isMultipleOf(one, bound), 'must be a multiple of'),
    maximum: numeric((one, bound) => one <= bound, 'must be at most'),
    exclusiveMaximum: numeric((one, bound) => one < bound, 'must be below'),
    minimum: numeric((one, bound) => one >= bound, 'must be at least'),
    exclusiveMinimum: numeric((one, bound) => one > bound, 'must be above'),

    maxLength: sized(textLength, 'most', 'characters'),
    minLength: sized(textLength, 'least', 'characters'),
    maxItems: sized(itemCount, 'most', 'items'),
    minItems: sized(itemCount, 'least', 'items'),
    maxProperties: sized(propertyCount, 'most', 'properties'),
    minProperties: sized(propertyCount, 'least', 'properties'),

    pattern: (value) => {
      const pattern = compilePattern(String(value));
      return (one, run) =>
        typeof one !== 'string' || pattern.test(one) || run.fail(`must match ${JSON.stringify(value)}`);
    },
    uniqueItems: (value) => (one, run) =>
      value === false || !Array.isArray(one) || areUnique(one) || run.fail('must not hold an item twice'),
    required: (value) => (one, run) =>
      !isObject(one) || requireNames(one, value as string[], run.fail.bind(run)),
    dependentRequired: (value) => {
      const dependent = Object.entries(value as Record<string, string[]>);
      return (one, run) =>
        !isObject(one) ||
        dependent
          .filter(([name]) => Object.hasOwn(one, name))
          .map(([, names]) => requireNames(one, names, run.fail.bind(run)))
          .every(Boolean);
    },
  }),
);

function numeric(holds: (one: number, bound: number) => boolean, text: string): Assertion {
  return (value) => (one, run) =>
    typeof one !== 'number' || holds(one, Number(value)) || run.fail(`${text} ${Number(value)}`);
}

/** A bound of a size; `sizeOf` is undefined for values that have none of its kind. */
function sized(
  sizeOf: (one: JsonValue) => number | undefined,
  bound: 'most' | 'least',
  unit: string,
): Assertion {
  return (value) => (one, run) => {
    const size = sizeOf(one);
    if (size === undefined) return true;
    const isWithin = bound === 'most' ? size <= Number(value) : size >= Number(value);
    return isWithin || run.fail(`must have at ${bound} ${Number(value)} ${unit}`);
  };
}

function textLength(one: JsonValue): number | undefined {
  return typeof one === 'string' ? codePointLength(one) : undefined;
}

function itemCount(one: JsonValue): number | undefined {
  return Array.isArray(one) ? one.length : undefined;
}

function propertyCount(one: JsonValue): number | undefined {
  return isObject(one) ? Object.keys(one).length : undefined;
}

function isOfType(value: JsonValue, type: TypeName): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function areUnique(items: JsonValue[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length;
}

/** Names as `constructor` and `__proto__` are there only if the object itself has them. */
function requireNames(one: object, names: string[], fail: (message: string) => false): boolean {
  return names
    .filter((name) => !Object.hasOwn(one, name))
    .map((name) => fail(`must have the property ${JSON.stringify(name)}`))
    .every((found) => found);
}
