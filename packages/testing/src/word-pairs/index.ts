import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { identifiers } from './identifiers.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { parsePairs } from './parse.ts';
import { thai } from './thai.ts';

export type { WordPair } from './parse.ts';

/** For each language: queries that a search without a model must match, and queries that it must not match. */
export const wordPairs = {
  'English word forms': parsePairs(english),
  'German compounds': parsePairs(german),
  Chinese: parsePairs(chinese),
  'Japanese kana and kanji': parsePairs(japanese),
  Korean: parsePairs(korean),
  Thai: parsePairs(thai),
  'identifiers and paths': parsePairs(identifiers),
} as const;
