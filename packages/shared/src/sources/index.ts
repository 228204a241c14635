export {
  appendSource,
  appendUnderId,
  type FlushDelay,
  type NewSource,
  openSourceLine,
  type WorkRecordKind,
} from './append.ts';
export { sourceConflict } from './capture.ts';
export { sourceOperations } from './contract.ts';
export { type CreatedSource, checkContentSize, createSource, maxContentBytes } from './create.ts';
export { sourceHandlers } from './handlers.ts';
export { builtInSourceTypes } from './types.ts';
