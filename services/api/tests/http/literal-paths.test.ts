import { operations } from '@continuity/contract/operations';
import { describe, expect, test } from 'vitest';
import { MethodTable } from '../../src/http/unknown-route.ts';

describe('spec 10 §4: a literal path wins over a parameter', () => {
  const table = new MethodTable([
    { method: 'GET', path: '/v1/things/{id}' },
    { method: 'PUT', path: '/v1/things/{id}' },
    { method: 'POST', path: '/v1/things/latest' },
    { method: 'GET', path: '/v1/things/{id}/parts' },
    { method: 'POST', path: '/v1/{kind}/latest/parts' },
  ]);

  test.each([
    ['/v1/things/latest', ['POST']],
    ['/v1/things/latest?x=1', ['POST']],
    ['/v1/things/%6catest', ['GET', 'HEAD', 'PUT']],
    ['/v1/things/other', ['GET', 'HEAD', 'PUT']],
    ['/v1/things/latest/parts', ['GET', 'HEAD']],
    ['/v1/others/latest/parts', ['POST']],
    ['/v1/things/', []],
    ['/v1/nothing', []],
  ])('%s takes %j', (path, methods) => {
    expect(table.allowed(path)).toEqual(methods);
  });

  test('no method of a literal path falls through to an operation with a parameter there', () => {
    const table = new MethodTable(operations);
    const literal = operations.filter(({ path }) => !path.includes('{'));
    for (const { path } of literal) {
      const others = operations.filter((other) => other.path !== path && matches(other.path, path));
      for (const { method } of others)
        expect([path, table.allowed(path)]).toEqual([path, expect.arrayContaining([method])]);
    }
  });
});

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
