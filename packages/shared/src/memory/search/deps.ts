import type { Database } from '@continuity/shared/kernel';
import type { CorpusCache } from '../../search/index.ts';
import type { QueryVector } from './read-query.ts';
import type { Reranker } from './rerank.ts';
import type { VectorSupportCache } from './vectors/index.ts';

/** Embeds queries with the profile that this process has accepted. */
export interface QueryEmbedder {
  /** @throws 503 `inference_unavailable` or `inference_timeout` */
  embedQuery(text: string): Promise<QueryVector>;
  /** As `embedQuery`, but answers null on failure: for searches that can do without a vector. */
  tryEmbedQuery(text: string): Promise<QueryVector | null>;
}

/** What a search of Memory needs. */
export interface SearchDeps {
  database: Database;
  /** Null while no embedding profile is accepted. */
  embedder(): QueryEmbedder | null;
  vectorSupport: VectorSupportCache;
  corpusCache: CorpusCache;
  /** Null where reranking is off. */
  reranker: Reranker | null;
}
