export { documentHits, documentParameters } from './search.ts';
export type { DocumentFamily } from './term-space.ts';
export {
  type DocumentHead,
  type DocumentRevision,
  type NewDocument,
  writeFirst,
  writeNext,
} from './write.ts';
