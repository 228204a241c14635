export { documentCorpus } from './corpus.ts';
export { evidenceOf, requireDocument } from './read.ts';
export {
  corpusColumns,
  documentsOfScope,
  headRevision,
  languagesOfDocuments,
  searchHeads,
  searchTexts,
} from './search.ts';
export { projectDocument, removeProjection, replaceProjection, writeFirst, writeNext } from './write.ts';
