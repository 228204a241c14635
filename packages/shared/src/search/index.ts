export { AnalyzedQuery, analyzeQuery } from './analyze/analyze-query.ts';
export { type AnalyzedText, analyzeAtOnce } from './analyze/analyze-text.ts';
export {
  areStatesOfFact,
  canBeStatesOfFact,
  readStatement,
  wordBeginnings,
} from './analyze/likeness.ts';
export type { QueryAnalysis, QuerySegment } from './analyze/query-terms.ts';
export { splitSegments } from './analyze/segments.ts';
export {
  chooseSegment,
  explanationColumns,
  explanationRow,
  type LexicalMatch,
  maxSegments,
  type SegmentMatch,
} from './explanation.ts';
export { type ChannelScore, fuseScores, partOf, type ScoredChannel, type ScoredHit } from './fuse.ts';
export {
  batchSize,
  type CorpusId,
  firstBatchTerm,
  hashSteps,
  hashTerm,
  type Projection,
  projectSteps,
  projectTexts,
  type TextProjections,
  termDeltas,
} from './index/projection.ts';
export { scoredColumns } from './lexical/bm25-sql.ts';
export { CorpusCache, type CorpusFacts } from './lexical/corpus-cache.ts';
export { confidenceOf } from './lexical/coverage.ts';
export { smallCorpusSize } from './lexical/limits.ts';
export {
  arrayLiteral,
  firstOwnParameter,
  type LexicalQuery,
  queryParameters,
} from './lexical/query-keys.ts';
export {
  explainGivenTexts,
  rareTerms,
  scoreGivenTexts,
  scoringStatements,
} from './lexical/scoring-sql.ts';
export { type CorpusStatements, searchCorpus } from './lexical/search-corpus.ts';
export { plainTerms, type TermIndex } from './lexical/term-index.ts';
export { baselineOf, type CosineScale, cosineScaleOf } from './vectors/cosine-scale.ts';
export {
  type DistanceQuery,
  exactDistance,
  exactDistances,
  exactLimit,
  indexExpression,
  indexedDistances,
  indexName,
  indexType,
  isWithoutPgvector,
  maxExactVectors,
  maxIndexedDimensions,
  type VectorTable,
} from './vectors/distance-sql.ts';
export {
  base64PerComponent,
  bestSimilarity,
  decodeReals,
  encodedReals,
  encodedVector,
  hexOf,
  quantize,
} from './vectors/stored-vector.ts';
export { TopScores } from './vectors/top-scores.ts';
