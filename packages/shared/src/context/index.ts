export { contextOperations, type PreparedContext } from './contract.ts';
export { contextHandlers } from './handlers.ts';
export { recallEstimator } from './recall-day.ts';
