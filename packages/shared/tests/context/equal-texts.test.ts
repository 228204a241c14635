import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, mergeEqualTexts } from '../../src/context/equal-texts.ts';
import { experienceOf, memoryOf } from './hits.ts';

const written = (text: string, at: number, n = at) => ({ ...memoryOf(text, n), writtenAt: new Date(at) });

test.each([
  ['Releases happen on Tuesdays.', 'releases  happen, on "Tuesdays"!'],
  ['Don’t ship on Friday', "don't ship on friday."],
  ['- Deploy: (prod) now', 'deploy prod\n\tnow'],
  ['Use `pnpm`.', 'use pnpm'],
  ['Port – 8080', 'port: 8080'],
  ['We deploy — on Friday', 'we deploy on friday'],
  ['端口 是 8080。', '端口，是8080'],
  ['データベースは毎晩、保存される。', 'データベースは毎晩保存される'],
  ['Café', 'CAFE\u0301'],
])('spec 25 Q10: %j and %j are one text', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test.each([
  ['Use C#', 'Use C'],
  ['Use C++', 'Use C'],
  ['Use .NET', 'Use NET'],
  ['-5 degrees', '5 degrees'],
  ['version 3.5', 'version 35'],
  ['docs/a.ts', 'docs-a.ts'],
  ['Ports 10, 20', 'Port 1020'],
  ['Ports 80 80', 'Ports 8080'],
  ['10² bytes', '102 bytes'],
  ['5% off', '5 off'],
  ['We use Postgres 16.', 'We use Postgres 18.'],
])('spec 25 Q10: %j and %j are two texts', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});

test('spec 25 Q10: the newest of equal texts stands for them, in the place of the best one', () => {
  const [old, other, newest, between] = [
    written('Port 8080.', 1),
    written('Hosts are in Oslo.', 2),
    written('port 8080', 9),
    written('PORT 8080!', 5),
  ];
  expect(mergeEqualTexts([old, other, newest, between])).toEqual([newest, other]);
  expect(mergeEqualTexts([old, other, newest, between], 1)).toEqual([newest]);
});

test('spec 25 Q10: texts of different families and Scopes count once, too', () => {
  const experience = experienceOf('x', 1);
  const entry = { ...memoryOf(experience.text.toUpperCase(), 2), writtenAt: new Date(1) };
  expect(mergeEqualTexts([experience, entry])).toEqual([entry]);
  const there = { ...memoryOf('x', 3, 'there'), writtenAt: new Date(2) };
  expect(mergeEqualTexts([{ ...memoryOf('X', 4), writtenAt: new Date(1) }, there])).toEqual([there]);
});

test('spec 25 Q10: what is left is a subset in the same order, of which no two texts are equal', () => {
  const texts = fc.array(fc.tuple(fc.constantFrom('a b', 'A, b', 'ab', 'c', 'C.', 'd'), fc.nat(5)));
  fc.assert(
    fc.property(texts, (drawn) => {
      const hits = drawn.map(([text, at], n) => written(text, at, n));
      const left = mergeEqualTexts(hits);
      const folded = left.map(({ text }) => foldText(text));
      expect(folded).toEqual([...new Set(hits.map(({ text }) => foldText(text)))]);
      for (const { text, writtenAt } of left) {
        const equal = hits.filter((one) => foldText(one.text) === foldText(text));
        expect(writtenAt.getTime()).toBe(Math.max(...equal.map((one) => one.writtenAt.getTime())));
      }
    }),
  );
});
