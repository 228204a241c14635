export { documentCorpus } from './corpus.ts';
export { type DocumentAddress, evidenceOf, requireDocument, type StoredDocument } from './read.ts';
export {
  corpusColumns,
  documentsOfScope,
  headRevision,
  languagesOfDocuments,
  searchHeads,
  searchTexts,
} from './search.ts';
export {
  type DocumentRevision,
  removeProjection,
  replaceProjection,
  writeFirst,
  writeNext,
} from './write.ts';
