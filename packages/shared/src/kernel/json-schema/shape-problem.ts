import type { JsonObject, JsonValue } from '../json.ts';
import { quoted } from '../shown.ts';
import { dialect, type KeywordShape, typeNames } from './keywords.ts';
import { compilePattern, PatternRefused } from './patterns.ts';

/** What is wrong with the value of a keyword by itself, or undefined. Schemas inside it are looked at on their own. */
export function shapeProblem(shape: KeywordShape, value: JsonValue): string | undefined {
  return problems[shape](value);
}

const problems: Record<KeywordShape, (value: JsonValue) => string | undefined> = {
  any: () => undefined,
  anchor: (value) =>
    unless(typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value), 'must be a plain name'),
  array: (value) => unless(Array.isArray(value), 'must be an array'),
  boolean: (value) => unless(typeof value === 'boolean', 'must be true or false'),
  count: (value) => unless(Number.isInteger(value) && Number(value) >= 0, 'must be an integer of at least 0'),
  dialect: (value) =>
    unless(
      typeof value === 'string' && value.replace(/#$/, '') === dialect,
      `must be ${dialect}: no other dialect is understood`,
    ),
  id: (value) =>
    unless(typeof value === 'string' && /^[^#]*#?$/.test(value), 'must be a URI reference without fragment'),
  names: (value) => unless(areNames(value), 'must be an array of different strings'),
  'names by name': (value) =>
    unless(
      isObject(value) && Object.values(value).every(areNames),
      'must be an object of arrays of different strings',
    ),
  number: (value) => unless(typeof value === 'number', 'must be a number'),
  pattern: (value) => (typeof value === 'string' ? patternProblem(value) : 'must be a string'),
  positive: (value) => unless(typeof value === 'number' && value > 0, 'must be a number above 0'),
  reference: (value) =>
    unless(
      typeof value === 'string' && value.startsWith('#'),
      'must begin with "#": only references into this schema are followed',
    ),
  schema: () => undefined,
  schemas: (value) => unless(Array.isArray(value) && value.length > 0, 'must be an array of schemas'),
  'schemas by name': (value) => unless(isObject(value), 'must be an object of schemas'),
  'schemas by pattern': (value) => {
    if (!isObject(value)) return 'must be an object of schemas';
    for (const pattern of Object.keys(value)) {
      const problem = patternProblem(pattern);
      if (problem !== undefined) return `${quoted(pattern)} ${problem}`;
    }
    return undefined;
  },
  'schemas or names by name': (value) => unless(isObject(value), 'must be an object'),
  string: (value) => unless(typeof value === 'string', 'must be a string'),
  types: (value) => {
    const names = Array.isArray(value) ? value : [value];
    const areKnown = names.every((name) => (typeNames as readonly unknown[]).includes(name));
    const isOnceEach = new Set(names).size === names.length && names.length > 0;
    return unless(areKnown && isOnceEach, `must be one or some of ${typeNames.join(', ')}`);
  },
  vocabulary: (value) =>
    unless(
      isObject(value) && Object.values(value).every((one) => typeof one === 'boolean'),
      'must be an object of booleans',
    ),
};

function unless(holds: boolean, problem: string): string | undefined {
  return holds ? undefined : problem;
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternRefused) return error.message;
    throw error;
  }
}

function areNames(value: JsonValue): boolean {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string') &&
    new Set(value).size === value.length
  );
}

/** An object, and no array and no null. */
export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
