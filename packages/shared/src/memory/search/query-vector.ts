import type { EmbeddingProfile, ModelUsage } from '../../inference/index.ts';

/** A query in the vector space of an embedding profile. An entry is as near to it as to its nearest window. */
export interface QueryVector {
  profile: EmbeddingProfile;
  /** One vector for each window of the query, at least one: unit length, of the profile's dimension (spec 25 Q8). */
  windows: readonly Float32Array[];
  /** Tokens of the model call. Counted once for all Scopes of a search (spec 20 T6). */
  usage: ModelUsage;
}

/** Embeds queries with the profile that this process has accepted. */
export interface QueryEmbedder {
  /** @throws 503 `inference_unavailable` or `inference_timeout` */
  embedQuery(text: string): Promise<QueryVector>;
  /** As `embedQuery`, but answers null on failure: for searches that can do without a vector. */
  tryEmbedQuery(text: string): Promise<QueryVector | null>;
}
