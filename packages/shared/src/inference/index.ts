export { createAsk } from './ask.ts';
export { createEmbedder, probeEmbedder, probeText } from './embedder.ts';
export type { Embedder, EmbeddingProfile } from './embedding.ts';
export { embeddingEndpoint, generationAddress, generationEndpoint } from './endpoints.ts';
export { InferenceError, type InferenceFailure, inferenceFailed } from './errors.ts';
export type { ModelEndpoint, ModelUsage, OnUsage } from './model-endpoint.ts';
export { retryRequest } from './model-endpoint.ts';
export { probeGeneration } from './probe-generation.ts';
export { type Ask, askWithRepairs, InvalidAnswerError, type RepairedQuestion } from './question.ts';
