export { evidenceOf, requireDocument } from './read.ts';
export {
  buildHeadSearch,
  corpusColumns,
  type DocumentHit,
  documentCorpus,
  documentsOfScope,
  explainDocuments,
  headRevision,
  languagesOfDocuments,
  searchDocuments,
  searchHeads,
} from './search.ts';
export { projectDocument, removeProjection, replaceProjection, writeFirst, writeNext } from './write.ts';
