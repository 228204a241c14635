export {
  appendAlone,
  appendSource,
  appendUnderId,
  ensureSourceSequence,
  type FlushDelay,
  lockSourceSequence,
  type NewSource,
  type ObservedParts,
} from './append.ts';
export { captureContent, sourceConflict } from './capture.ts';
export { type CreatedSource, checkContentSize, createSource, maxContentBytes } from './create.ts';
export { evidenceText, textEvidence } from './evidence-text.ts';
export { findSource } from './find.ts';
export { type FoundRecord, findRecord } from './find-record.ts';
export { type SourceDeps, sourceHandlers } from './handlers.ts';
export { sourceOfScope } from './identity.ts';
export { findLastPositions } from './positions.ts';
export { builtInSourceTypes, listSourceTypes } from './types.ts';
