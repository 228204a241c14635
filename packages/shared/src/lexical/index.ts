export { type AnalyzedEntry, analyzeEntry, maxFrequency, maxLength } from './analyze-entry.ts';
export { analyzeQuery, maxQueryTerms, partWeight, requiredTerms } from './analyze-query.ts';
export { bm25, type Corpus, inverseFrequency, termScore } from './bm25.ts';
export { coversLanguages, KnownLanguages } from './known-languages.ts';
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
export { type Channel, type Fused, fuseRanks, rankByScore } from './rrf.ts';
export { isPaired, type LexicalQuery, lexicalParameters, wordsOf } from './search-parameters.ts';
export { maxWhole, scoringOfFew, scoringOfMany, scoringOfPairs } from './search-statement.ts';
