export { type ArtifactDeps, artifactHandlers } from './handlers.ts';
export { type Approved, approvedDocument, type ProposedContent, writeApproved } from './write-approved.ts';
