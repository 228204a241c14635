export { AnalyzedQuery, analyzeQuery } from './analyze/analyze-query.ts';
export type { QueryAnalysis, QuerySegment } from './analyze/query-terms.ts';
export { splitSegments } from './analyze/segments.ts';
export { scoredColumns } from './candidates/bm25-sql.ts';
export {
  explainGivenTexts,
  rareTerms,
  scoreGivenTexts,
  scoringStatements,
} from './candidates/candidate-sql.ts';
export { CorpusCache } from './candidates/corpus-cache.ts';
export { smallCorpusSize } from './candidates/limits.ts';
export {
  arrayLiteral,
  firstOwnParameter,
  type LexicalQuery,
  queryParameters,
} from './candidates/query-keys.ts';
export { type CorpusRow, type CorpusStatements, factsOf, searchCorpus } from './candidates/search-corpus.ts';
export type { TermIndex } from './candidates/term-index.ts';
export {
  chooseSegment,
  explanationColumns,
  explanationRow,
  type LexicalMatch,
  maxSegments,
  type SegmentMatch,
} from './explanation.ts';
export { fuseScores, type ScoredCandidate } from './fuse.ts';
export {
  batchSize,
  type CorpusId,
  firstBatchTerm,
  hashTerm,
  type Projection,
  projectSteps,
  projectTexts,
  type TextProjections,
  termDeltas,
} from './index/projection.ts';
export { base64PerElement, bestSimilarity, encodedVector } from './vectors/binary-array.ts';
export {
  type DistanceQuery,
  exactDistance,
  exactDistances,
  exactLimit,
  indexExpression,
  indexedDistances,
  indexName,
  indexType,
  maxExactVectors,
  maxIndexedDimensions,
  type VectorTable,
} from './vectors/distance-sql.ts';
export { TopScores } from './vectors/top-scores.ts';
