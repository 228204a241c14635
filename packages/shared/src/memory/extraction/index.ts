export { hasCredentialOrMask, maskCredentials } from './builtin/credential-mask.ts';
export { createBuiltinExtractor } from './builtin/extract.ts';
export { StatementFinder } from './builtin/statement-finder.ts';
export { findStatements, type Statement } from './builtin/statements.ts';
export { plainSentences } from './builtin/units.ts';
export { mergeProposals } from './merge-proposals.ts';
export { createModelExtractor, type ModelExtractorOptions, maxKnownEntries } from './model/extract.ts';
export { originOf } from './origin.ts';
export * from './port.ts';
