export { contextHandlers } from './handlers.ts';
export { recallEstimator } from './recall-day.ts';
