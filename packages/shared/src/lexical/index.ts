export { type AnalyzedEntry, analyzeEntry, maxFrequency, maxLength } from './analyze-entry.ts';
export { analyzeQuery, maxQueryTerms, partWeight, requiredTerms } from './analyze-query.ts';
export { bm25, type Corpus, inverseFrequency, termScore } from './bm25.ts';
export { KnownCounts, nothingHeld } from './known-counts.ts';
export { coversLanguages, KnownLanguages } from './known-languages.ts';
export { type PlannedSearch, planSearch } from './plan-search.ts';
export {
  batchSize,
  firstBatchTerm,
  hashTerm,
  type Projection,
  projectEntry,
  type TermSpace,
  termDeltas,
} from './projection.ts';
export { QueryWords } from './query-words.ts';
export { maxOfPairs, maxWhole } from './reading-limits.ts';
export { type Channel, type Fused, fuseRanks, rankByScore } from './rrf.ts';
export {
  type AskedKey,
  askedKeys,
  type LexicalQuery,
  lexicalParameters,
  wordsOf,
} from './search-parameters.ts';
export { type ReadingShape, scoringOfPlanned } from './search-planned.ts';
export { scoringOfFew, scoringOfMany } from './search-statement.ts';
