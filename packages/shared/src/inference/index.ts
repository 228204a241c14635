export {
  type Ask,
  createAsk,
  isWorthRepeating,
  type ModelEndpoint,
  type ModelUsage,
  type OnUsage,
  type Question,
} from './ask.ts';
export { InferenceError, type InferenceFailure } from './error.ts';
export { inferenceFailed } from './service-error.ts';
