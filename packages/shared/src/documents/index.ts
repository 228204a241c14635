export { documentHits, documentParameters } from './search.ts';
export { type DocumentRevision, writeFirst, writeNext } from './write.ts';
