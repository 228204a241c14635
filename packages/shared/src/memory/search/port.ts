import type { Database } from '@continuity/shared/kernel';
import type { KnownScopes } from '../known-scopes.ts';
import type { QueryVector } from './read-query.ts';
import type { Reranker } from './rerank.ts';
import type { VectorSupportCache } from './vectors/index.ts';

/** Embeds queries by the profile that this process has accepted. */
export interface QueryEmbedder {
  /** Throws 503 `inference_unavailable` or `inference_timeout`. */
  embedQuery(text: string): Promise<QueryVector>;
  /** As `embedQuery`, but null where that fails: for searches that can do without. */
  tryEmbedQuery(text: string): Promise<QueryVector | null>;
}

/** What searching works with. */
export interface Searching {
  database: Database;
  /** Null while no embedding profile is accepted. */
  embedder(): QueryEmbedder | null;
  vectorSupport: VectorSupportCache;
  known: KnownScopes;
  /** Null where reranking is off. */
  reranker: Reranker | null;
}
