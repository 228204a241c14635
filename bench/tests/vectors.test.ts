import { expect, test } from 'vitest';
import { makeSearchSet, textsOf } from '../src/search-set/index.ts';
import { loadVectors, requireVectors, vectorDimension } from '../src/search-set/vectors.ts';

const vectors = loadVectors();
const texts = textsOf(makeSearchSet());

test('every entry and every question of the search set has a vector', () => {
  requireVectors(vectors, texts);
  expect(new Set(texts.map((text) => vectors.find(text)?.length))).toEqual(new Set([vectorDimension]));
});

test('a text without a vector is named, with the command that makes vectors', () => {
  expect(() => requireVectors(vectors, [...texts, 'a new question'])).toThrow(
    `1 of ${texts.length + 1} texts of the search set have no vector, for example "a new question". ` +
      'Run bench/scripts/make-vectors.py as its first lines say.',
  );
});

test('the vector of a question is closer to the entry that answers it than to another one', () => {
  const question = 'memory problem with huge spreadsheets';
  const answer =
    'Next step for the importer: stream the CSV instead of loading it whole, the 2 GB file killed the worker.';
  const other = "Anna-Lena's sister Judith studies marine biology in Galway and visits in October.";
  expect(similarity(question, answer)).toBeGreaterThan(similarity(question, other));
});

function similarity(left: string, right: string): number {
  return cosine(vectors.find(left) ?? [], vectors.find(right) ?? []);
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const product = left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
  return product / (Math.hypot(...left) * Math.hypot(...right));
}
