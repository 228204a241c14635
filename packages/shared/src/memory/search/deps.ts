import type { Database } from '@continuity/kernel/database';
import type { CorpusCache } from '../../search/index.ts';
import type { QueryEmbedder } from './query-embedder.ts';
import type { Reranker } from './rerank.ts';
import type { VectorSupportCache } from './vectors/index.ts';

/** Dependencies of the search of Memory. */
export interface SearchDeps {
  database: Database;
  /** Null while no embedding profile is accepted. */
  embedder(): QueryEmbedder | null;
  vectorSupport: VectorSupportCache;
  corpusCache: CorpusCache;
  /** Null if reranking is off. */
  reranker: Reranker | null;
}
