export { looksLikeCredential } from './builtin/credentials.ts';
export { createBuiltinExtractor } from './builtin/extract.ts';
export { KNOWN_KINDS, type KnownKind } from './builtin/kinds.ts';
export { mergeProposals } from './merge-proposals.ts';
export * from './port.ts';
