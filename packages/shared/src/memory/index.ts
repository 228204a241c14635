export { memoryOperations } from './contract.ts';
export { memoryHandlers } from './handlers.ts';
