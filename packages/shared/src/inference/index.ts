export { createAsk } from './ask.ts';
export { createEmbedder, probeEmbedder, probeText } from './embedder.ts';
export {
  generationAddress,
  generationEndpoint,
  openEmbedder,
  probeGeneration,
  rerankEndpoint,
} from './endpoints.ts';
export { InferenceError, type InferenceFailure, inferenceFailed } from './errors.ts';
export type {
  Embedder,
  EmbeddingInput,
  EmbeddingProfile,
  ModelEndpoint,
  ModelUsage,
  OnUsage,
} from './model-endpoint.ts';
export { retryRequest } from './model-endpoint.ts';
export { type Ask, askWithRepairs, InvalidAnswerError, type RepairedQuestion } from './question.ts';
export { type RerankEndpoint, scoreTexts } from './score-texts.ts';
