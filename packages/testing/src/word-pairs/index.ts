import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { identifiers } from './identifiers.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { parsePairs } from './parse.ts';
import { thai } from './thai.ts';

export type { WordPair } from './parse.ts';

/** What a user of each writing expects a search without a model to find, and not to find. */
export const wordPairs = {
  'English word forms': parsePairs(english),
  'German compounds': parsePairs(german),
  Chinese: parsePairs(chinese),
  'Japanese kana and kanji': parsePairs(japanese),
  Korean: parsePairs(korean),
  Thai: parsePairs(thai),
  'identifiers and paths': parsePairs(identifiers),
} as const;
