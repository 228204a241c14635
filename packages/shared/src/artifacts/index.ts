export { type ArtifactDeps, artifactHandlers } from './handlers.ts';
export { requireHead } from './require-head.ts';
export { type Approved, approvedDocument, type ProposedContent, writeApproved } from './write-approved.ts';
