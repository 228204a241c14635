export * from './citations.ts';
export * from './content.ts';
export * from './draft-rules.ts';
export { prepare } from './finalize.ts';
export { type HandoffDeps, handoffHandlers } from './handlers.ts';
export { handoffRef, handoffRefOrNull } from './reference.ts';
export { checkStatements, type HandoffSelection, resolveHandoff } from './resolve.ts';
export { type SelectionFields, selectionIssues, toSelection } from './selection-rules.ts';
export {
  findHandoff,
  findHead,
  type HandoffToWrite,
  type StoredHandoff,
  toLineageColumns,
  writeFirst,
  writeNext,
} from './store.ts';
