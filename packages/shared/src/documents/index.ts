export { evidenceOf, requireDocument } from './read.ts';
export {
  buildHeadSearch,
  corpusColumns,
  headRevision,
  searchHeads,
} from './search.ts';
export { projectDocument, removeProjection, replaceProjection, writeFirst, writeNext } from './write.ts';
