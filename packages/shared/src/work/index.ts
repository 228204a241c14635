export { workOperations } from './contract.ts';
export { workHandlers } from './handlers.ts';
export * from './shapes.ts';
