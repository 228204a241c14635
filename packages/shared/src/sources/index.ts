export type { FlushDelay } from './append.ts';
export { appendAlone, appendSource, appendUnderId } from './append.ts';
export { maxContentBytes, prepareCapture, type WrittenContent, writeContent } from './bodies/index.ts';
export { captureContent, recordArtifactWrite, serviceSource, sourceConflict } from './capture.ts';
export { type FoundRecord, findRecord, findSource, findSourcePlaces } from './find.ts';
export { type SourceDeps, sourceHandlers } from './handlers.ts';
export { ensureSourceSequence, findLastPositions, lockSourceSequence } from './positions.ts';
export type { NewSource } from './source.ts';
export { evidenceText, listSourceTypes, sourceOfScope, textEvidence } from './source.ts';
