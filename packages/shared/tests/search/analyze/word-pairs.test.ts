import { wordPairs } from '@continuity/testing/word-pairs';
import { describe, expect, it } from 'vitest';
import { finds } from './matching.ts';

describe.each(Object.entries(wordPairs))('what a user expects to find: %s (spec 20 S6)', (_name, pairs) => {
  it.each(pairs)('$text', ({ text, finds: found, misses, missesIfCommon }) => {
    expect(found.filter((query) => !finds(query, text))).toEqual([]);
    expect([...misses, ...missesIfCommon].filter((query) => finds(query, text))).toEqual([]);
  });
});
