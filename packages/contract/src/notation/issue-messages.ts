import type { z } from 'zod';
import { codePointLength } from './text.ts';

const typeNames: Record<string, string> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/**
 * Messages for rules of shapes that have no message of their own. They belong to the contract's documentation and stay the same
 * when the validation library changes.
 */
export function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeNames[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${issue.values.map(written).join(' or ')}`;
    case 'too_small':
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}${sizeOf(issue.input)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}${sizeOf(issue.input)}`;
    case 'invalid_format':
      return issue.pattern === undefined ? 'has the wrong format' : `must match ${issue.pattern}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'must have one of the documented forms';
    case 'unrecognized_keys':
      return 'has fields that are not of this request';
    default:
      return 'is not valid';
  }
}

function written(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function boundOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

/** The size beside the limit: a caller has to know by how much to shorten a value. */
function sizeOf(input: unknown): string {
  if (typeof input === 'string') return `, and has ${codePointLength(input)}`;
  return Array.isArray(input) ? `, and has ${input.length}` : '';
}
