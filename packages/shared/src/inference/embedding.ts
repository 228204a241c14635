import type { ModelEndpoint, ModelUsage } from './model-endpoint.ts';

/** A vector space. Vectors of different ones are never compared (spec 20 S12). */
export interface EmbeddingProfile {
  profileId: string;
  model: string;
  dimension: number;
}

export interface EmbeddingEndpoint extends ModelEndpoint {
  profileId: string;
  dimension: number;
}

export interface Embedded {
  /** One vector of unit length for each text, in their order; null if the model gave none that can be used (spec 20 S9). */
  vectors: (Float32Array | null)[];
  usage: ModelUsage;
}

export interface Embedder {
  readonly profile: EmbeddingProfile;
  /** Embeds texts by one request. @throws {InferenceError} */
  embed(texts: string[], signal?: AbortSignal): Promise<Embedded>;
}
