export type { SearchDeps } from './deps.ts';
export { searchLexically } from './lexical-search.ts';
export { type ChannelHit, searchScopeMemory } from './lexical-statements.ts';
export { type ParsedQuery, parseQuery, type SearchMode } from './parse-query.ts';
export { createQueryEmbedder } from './query-embedder.ts';
export type { QueryEmbedder } from './query-vector.ts';
export { createReranker, type Reranker } from './rerank.ts';
export {
  countQuery,
  type MemorySearch,
  rerankIfPossible,
  searchMemory,
  widenForReranker,
} from './search-memory.ts';
export {
  type ScopeSearch,
  type SearchAnswer,
  searchOnSnapshot,
  searchScope,
} from './search-scope.ts';
export { VectorSupportCache } from './vectors/index.ts';
