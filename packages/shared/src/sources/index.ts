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
export {
  maxContentBytes,
  type PreparedCapture,
  prepareCapture,
  type WrittenContent,
  writeContent,
  writeContentWithin,
} from './bodies/index.ts';
export { builtInSourceTypes } from './built-in-types.ts';
export { captureContent, sourceConflict } from './capture.ts';
export { type CreatedSource, createSource } from './create.ts';
export { evidenceText, textEvidence } from './evidence-text.ts';
export { findSource } from './find.ts';
export { type FoundRecord, findRecord } from './find-record.ts';
export { type SourceDeps, sourceHandlers } from './handlers.ts';
export { sourceOfScope } from './identity.ts';
export { findLastPositions } from './positions.ts';
export { listSourceTypes } from './types.ts';
