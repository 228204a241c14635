export { appendSource, type FlushDelay, openSourceLine } from './append.ts';
export { sourceOperations } from './contract.ts';
export { type CreatedSource, checkContentSize, createSource } from './create.ts';
export { sourceHandlers } from './handlers.ts';
export { builtInSourceTypes } from './types.ts';
