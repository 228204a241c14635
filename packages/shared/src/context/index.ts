export { recallEstimator } from './count-recall.ts';
export { contextHandlers } from './handlers.ts';
