export { recallEstimator } from './count-recall.ts';
export { type ContextDeps, contextHandlers } from './handlers.ts';
