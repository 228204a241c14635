import type { EmbeddingProfile, ModelUsage } from '../../inference/index.ts';

/** A query in the vector space of an embedding profile. */
export interface QueryVector {
  profile: EmbeddingProfile;
  /** Unit length, of the profile's dimension. */
  values: Float32Array;
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
