import type { HttpRequest } from '../load/http-load.ts';
import { attackWith, commonBars, type Wall } from './wall.ts';

const MiB = 2 ** 20;

/** Each fills a body with one kind of small values. */
const kinds: ((count: number) => string)[] = [
  (count) => list(count, () => `${'['.repeat(60)}${']'.repeat(60)}`),
  (count) => list(count, (index) => `{"${keyOf(index)}":1}`),
  (count) => `{${pieces(count, (index) => `"${keyOf(index)}":1`)}}`,
];

function list(bytes: number, piece: (index: number) => string): string {
  return `[${pieces(bytes, piece)}]`;
}

function pieces(bytes: number, piece: (index: number) => string): string {
  const all: string[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const next = piece(index);
    all.push(next);
    length += next.length + 1;
  }
  return all.join(',');
}

/** Keys in pseudo-random order, so that a parser finds no pattern. */
function keyOf(index: number): string {
  return ((index * 2_654_435_761) % 2 ** 32).toString(36);
}

/** Bodies over the limit of their operation, close below it, and close below the largest limit of a content. */
export function hostileRequests(token?: string): HttpRequest[] {
  const caller = token === undefined ? {} : { token };
  return kinds.flatMap((make) => [
    { ...caller, path: '/v1/memory/search', text: make(8 * MiB) },
    { ...caller, path: '/v1/memory/search', text: make(0.24 * MiB) },
    { ...caller, path: '/v1/scopes/heavy/sources', text: `{"content":${make(3.9 * MiB)}}` },
  ]);
}

/** Two connections that send large bodies of nested arrays, unknown fields and many keys. */
export function bodies(url: string, token: string, light: HttpRequest[]): Wall {
  const requests = hostileRequests(token);
  return {
    name: 'bodies',
    light,
    bars: commonBars,
    attack: (ms) => attackWith(url, requests, 2, ms),
  };
}
