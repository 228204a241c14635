import { ServiceError } from '@continuity/kernel/errors';
import { expect, test } from 'vitest';
import { readQuery } from '../../src/http/validate.ts';

const known = ['limit', 'cursor'];

function issuesOf(url: string): { path: string }[] {
  try {
    readQuery(url, known);
  } catch (error) {
    const body = error instanceof ServiceError ? error.toBody() : undefined;
    if (body?.code === 'invalid_request') return body.details.issues;
    throw error;
  }
  return [];
}

test.each([
  ['/x', {}],
  ['/x?', {}],
  ['/x?limit=5&other=1&other=2', { limit: '5' }],
  ['/x?cursor=a%2Bb+c', { cursor: 'a+b c' }],
  ['/x?limit', { limit: '' }],
  ['/x?Limit=1', {}],
])('reads the known parameters of %s', (url, expected) => {
  expect(readQuery(url, known)).toEqual(expected);
});

test.each([
  ['/x?limit=1&limit=1', ['limit']],
  ['/x?cursor=&limit=1&limit=2&cursor=', ['cursor', 'limit']],
  ['/x?cursor=a%00b', ['cursor']],
])('refuses %s', (url, paths) => {
  expect(
    issuesOf(url)
      .map((issue) => issue.path)
      .sort(),
  ).toEqual(paths);
});
