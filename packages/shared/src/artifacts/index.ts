export { type ArtifactDeps, artifactHandlers } from './handlers.ts';
export { type Approved, type ProposedContent, writeApproved } from './write-approved.ts';
