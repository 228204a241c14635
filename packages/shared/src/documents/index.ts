export { documentHits, documentParameters, fewDocumentHits, hasManyDocuments } from './search.ts';
export { type DocumentRevision, writeFirst, writeNext } from './write.ts';
