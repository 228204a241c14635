import { analyzeQuery } from '@continuity/shared/search';
import { leastCpuTimeOf } from '@continuity/testing';
import { expect, test, vi } from 'vitest';

const length = 8_192;
const fill = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const costOf = (query: string) => leastCpuTimeOf(() => analyzeQuery(query));

const words = Array.from({ length: 1_500 }, (_, index) => `w${(index * 7_919).toString(36)}`).join(' ');

test.each([
  ['a ligature of 18 characters (U+FDFA)', fill('\uFDFA')],
  ['a square of 6 characters (U+3316)', fill('\u3316')],
  ['emoji', '👍'.repeat(length)],
  ['families of emoji', fill('👨‍👩‍👧‍👦')],
  ['one word', fill('deploy ')],
])('%s cost less than 60 ms, as other queries of 8,192 characters', async (_name, query) => {
  expect(await costOf(fill(words))).toBeLessThan(60);
  expect(await costOf(query)).toBeLessThan(60);
});

test('a query that normalization makes 18 times as long is normalized up to the characters that count', () => {
  const counted = analyzeQuery('\uFDFA'.repeat(600)).terms;
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(analyzeQuery(fill('\uFDFA')).terms).toEqual(counted);
  const normalized = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(...normalized)).toBeLessThan(length / 4);
});

test('the end of a long query counts', () => {
  const keys = analyzeQuery(`${'記憶'.repeat(1_000)} postgres`).terms.flatMap((term) => term.keys);
  expect(keys).toContain('postgr');
});

test('a repeated word does not hide the words after it', () => {
  const keys = analyzeQuery(`${'deploy '.repeat(1_000)}postgres`).terms.flatMap((term) => term.keys);
  expect(keys).toContain('postgr');
});
