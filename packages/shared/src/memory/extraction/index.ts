export { looksLikeCredential } from './builtin/credentials.ts';
export { createBuiltinExtractor } from './builtin/extract.ts';
export { KNOWN_KINDS, type KnownKind } from './builtin/kinds.ts';
export { mergeProposals } from './merge-proposals.ts';
export type { ModelUsage } from './model/ask.ts';
export { createModelExtractor, MAX_KNOWN_ENTRIES, type ModelExtractorOptions } from './model/extract.ts';
export * from './port.ts';
