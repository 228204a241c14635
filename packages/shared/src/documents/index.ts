export { documentHits, documentParameters, fewDocumentHits, hasManyDocuments } from './search.ts';
export type { DocumentFamily } from './term-space.ts';
export {
  type DocumentHead,
  type DocumentRevision,
  type NewDocument,
  writeFirst,
  writeNext,
} from './write.ts';
