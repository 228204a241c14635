export {
  type Ask,
  createAsk,
  isWorthRepeating,
  type ModelEndpoint,
  type ModelUsage,
  type OnUsage,
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
export { embeddingEndpoint, generationEndpoint } from './endpoints.ts';
export { InferenceError, type InferenceFailure } from './error.ts';
export { probeGeneration } from './probe-generation.ts';
export { inferenceFailed } from './service-error.ts';
