import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { czech } from './czech.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { greek } from './greek.ts';
import { hashes } from './hashes.ts';
import { hebrew } from './hebrew.ts';
import { hyphens } from './hyphens.ts';
import { identifiers } from './identifiers.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { languageNames } from './language-names.ts';
import { parsePairs } from './parse.ts';
import { polish } from './polish.ts';
import { russian } from './russian.ts';
import { thai } from './thai.ts';
import { turkish } from './turkish.ts';

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
  Turkish: parsePairs(turkish),
  Polish: parsePairs(polish),
  Czech: parsePairs(czech),
  Russian: parsePairs(russian),
  Greek: parsePairs(greek),
  Hebrew: parsePairs(hebrew),
  Arabic: parsePairs(arabic),
  'hashes and ids': parsePairs(hashes),
  'programming languages': parsePairs(languageNames),
  'hyphenated words': parsePairs(hyphens),
} as const;
