export { CREDENTIAL_MARK, looksLikeCredential, maskCredentials } from './builtin/credentials.ts';
export { createBuiltinExtractor, type Statement, statementsIn } from './builtin/extract.ts';
export { KNOWN_KINDS, type KnownKind } from './builtin/kinds.ts';
export { plainSentences } from './builtin/plain-sentences.ts';
export { sourceTexts } from './builtin/source-text.ts';
export { mergeProposals } from './merge-proposals.ts';
export { createModelExtractor, MAX_KNOWN_ENTRIES, type ModelExtractorOptions } from './model/extract.ts';
export * from './port.ts';
