export type { SearchDeps } from './deps.ts';
export { type EntryKey, keyOf } from './entry-key.ts';
export { explainEntries, findRareTerms, measureSimilarities } from './explain-entries.ts';
export { searchLexically } from './lexical-search.ts';
export {
  type ChannelHit,
  entriesOfScope,
  languagesOfScope,
  searchScopeMemory,
} from './lexical-statements.ts';
export { type ParsedQuery, parseQuery } from './parse-query.ts';
export type { QueryEmbedder } from './query-embedder.ts';
export { createQueryEmbedder } from './query-embedder.ts';
export { createEndpointReranker, createReranker, type Reranker } from './rerank.ts';
export { countQuery, rerankIfPossible, searchMemory, widenForReranker } from './search-memory.ts';
export {
  type ChannelScores,
  type SearchAnswer,
  searchOnSnapshot,
  searchScope,
  type VersionedHit,
} from './search-scope.ts';
export { VectorSupportCache } from './vectors/index.ts';
