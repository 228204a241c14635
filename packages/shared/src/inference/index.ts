export { createAsk } from './ask.ts';
export { createEmbedder, probeEmbedder, probeText } from './embedder.ts';
export type { Embedder, EmbeddingEndpoint, EmbeddingProfile } from './embedding.ts';
export { embeddingEndpoint, generationAddress, generationEndpoint } from './endpoints.ts';
export { canRetry, InferenceError, type InferenceFailure } from './error.ts';
export type { ModelEndpoint, ModelUsage, OnUsage } from './model-endpoint.ts';
export { probeGeneration } from './probe-generation.ts';
export type { Ask } from './question.ts';
export { inferenceFailed } from './service-error.ts';
