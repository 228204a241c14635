export {
  appendAlone,
  appendSource,
  appendUnderId,
} from './append.ts';
export type { FlushDelay } from './append-statements.ts';
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
export type { NewSource, ObservedParts } from './new-source.ts';
export { findLastPositions } from './positions.ts';
export { ensureSourceSequence, lockSourceSequence } from './source-sequence.ts';
export { listSourceTypes } from './types.ts';
