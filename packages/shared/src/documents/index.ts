export {
  documentHits,
  documentParameters,
  fewDocumentHits,
  hasManyDocuments,
  languagesOfDocuments,
} from './search.ts';
export { documentSpace } from './term-space.ts';
export { type DocumentRevision, writeFirst, writeNext } from './write.ts';
