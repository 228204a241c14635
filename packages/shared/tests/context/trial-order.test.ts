import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContextHit } from '../../src/context/context-hit.ts';
import { interleave, orderHits } from '../../src/context/trial-order.ts';
import { experienceOf, memoryOf } from './hits.ts';

const lists = fc.array(fc.array(fc.nat(), { maxLength: 20 }), { maxLength: 16 });

test('spec 20 P3: lists are merged round-robin, the first one first', () => {
  expect(interleave([['a1', 'a2', 'a3'], ['b1'], ['c1', 'c2']], 5)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
  expect(interleave([[], ['b1', 'b2']], 1)).toEqual(['b1']);
  expect(interleave([], 16)).toEqual([]);
});

test('spec 20 P3: of each list the beginning is taken, and as much in all as there is or may be', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 30 }), (values, limit) => {
      const marked = values.map((list, which) => list.map((value) => ({ which, value })));
      const taken = interleave(marked, limit);
      expect(taken).toHaveLength(Math.min(limit, marked.flat().length));
      for (const [which, list] of marked.entries()) {
        const own = taken.filter((one) => one.which === which);
        expect(own).toEqual(list.slice(0, own.length));
      }
      expect(interleave(marked, 1_000).slice(0, limit)).toEqual(taken);
    }),
  );
});

test('spec 20 P4, spec 25 Q10: Memory and the first two Experiences in turn, each text once', () => {
  const memory = [1, 2, 3].map((n) => memoryOf(`m${n}`, n));
  const experiences = [1, 2, 3].map((n) => experienceOf(`e${n}`, n));
  const order = (...[memory, experiences]: ContextHit[][]) =>
    orderHits([{ memory: memory ?? [], experiences: experiences ?? [] }], 16);
  const kinds = (...lists: ContextHit[][]) => order(...lists).map(({ kind }) => kind[0]);
  expect(kinds(memory, experiences).join('')).toBe('memem');
  expect(kinds([], experiences).join('')).toBe('ee');
  expect(kinds(memory.slice(0, 1), experiences).join('')).toBe('mee');
  const [first, second] = memory;
  if (first === undefined || second === undefined) throw new Error('There are three.');
  expect(order([first, second, first, memoryOf('m3', 1, 'there')], [])).toHaveLength(3);
  expect(order([first, second, memoryOf('M1.', 3, 'there')], [])).toHaveLength(2);
  expect(order([first, second, first], [])).toEqual([first, second]);
});
