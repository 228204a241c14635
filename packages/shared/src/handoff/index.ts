export { commitBoundary, prepare } from './commit.ts';
export { completeContent, directCitations, lineageOf } from './content.ts';
export { type HandoffDeps, handoffHandlers } from './handlers.ts';
export { checkStatements, resolveHandoff } from './resolve.ts';
export { findSelectionIssues, toSelection } from './rules.ts';
export { findHead, type HandoffToWrite, toLineageColumns, writeFirst, writeNext } from './store.ts';
