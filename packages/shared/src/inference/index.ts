export {
  type Ask,
  createAsk,
  type Question,
} from './ask.ts';
export {
  createEmbedder,
  type Embedded,
  type Embedder,
  type EmbeddingEndpoint,
  type EmbeddingProfile,
  probeEmbedder,
  probeText,
} from './embedder.ts';
export { embeddingEndpoint, generationAddress, generationEndpoint } from './endpoints.ts';
export { canRetry, InferenceError, type InferenceFailure } from './error.ts';
export type { ModelAddress, ModelProvider } from './language-model.ts';
export type { ModelEndpoint, ModelUsage, OnUsage } from './model-endpoint.ts';
export { probeGeneration } from './probe-generation.ts';
export { inferenceFailed } from './service-error.ts';
