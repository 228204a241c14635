export { artifactOperations } from './contract.ts';
export { artifactHandlers } from './handlers.ts';
