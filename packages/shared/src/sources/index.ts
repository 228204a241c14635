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
export { type FoundRecord, findRecord } from './find-record.ts';
export { sourceHandlers } from './handlers.ts';
export { sourceOfScope } from './identity.ts';
export { builtInSourceTypes } from './types.ts';
