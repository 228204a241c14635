export { checkCommands } from './apply-commands.ts';
export { contentDigest } from './artifact-content.ts';
export {
  analyzeEntries,
  createMemory,
  replaceMemory,
} from './artifact-writes.ts';
export { addRevision } from './commit-revision.ts';
export { EmbeddingWorker, withoutEmbedder } from './embedding/index.ts';
export { scopeMemoryId } from './entry.ts';
export { addEntry } from './entry-writes.ts';
export {
  createBuiltinExtractor,
  createModelExtractor,
  type ExtractedRecordKind as EvidenceRecord,
  type ExtractionInput,
  type Extractor,
  findStatements,
  hasCredentialOrMask,
  maskCredentials,
  plainSentences,
  type Statement,
  StatementFinder,
} from './extraction/index.ts';
export {
  type FlushDeps,
  runFlush,
  scheduleDueFlushes,
  scheduleMs,
  sweepLostFlushes,
} from './flush/index.ts';
export { type MemoryDeps, memoryHandlers } from './handlers.ts';
export { requireEntry } from './normalize.ts';
export { hasMemory } from './present-search.ts';
export { readContent, readEntryTexts } from './read-content.ts';
export { remember } from './remember.ts';
export {
  type ChannelScores,
  countQuery,
  createEndpointReranker,
  createQueryEmbedder,
  createReranker,
  type EntryKey,
  entriesOfScope,
  explainEntries,
  findRareTerms,
  keyOf,
  languagesOfScope,
  measureSimilarities,
  type ParsedQuery,
  parseQuery,
  type QueryEmbedder,
  type Reranker,
  rerankIfPossible,
  type SearchAnswer,
  type SearchDeps,
  searchOnSnapshot,
  VectorSupportCache,
  type VersionedHit,
  widenForReranker,
} from './search/index.ts';
export { entryShortId } from './short-id.ts';
export { sweepEnded, sweepEndedMs } from './sweep-ended.ts';
export { hasNotEnded, holdsAt } from './validity.ts';
