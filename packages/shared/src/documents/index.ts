export { documentCorpus } from './corpus.ts';
export { type DocumentHit, documentsOfScope, languagesOfDocuments, searchDocuments } from './search.ts';
export { type DocumentRevision, replaceProjection, writeFirst, writeNext } from './write.ts';
