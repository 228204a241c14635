export { documentCorpus } from './corpus.ts';
export { evidenceOf, requireDocument } from './read.ts';
export {
  buildHeadSearch,
  corpusColumns,
  documentsOfScope,
  headRevision,
  languagesOfDocuments,
  searchHeads,
} from './search.ts';
export { projectDocument, removeProjection, replaceProjection, writeFirst, writeNext } from './write.ts';
