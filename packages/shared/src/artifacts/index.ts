export {
  type ContentPlace,
  type DocumentHead,
  type DocumentRules,
  documentRules,
  type PreparedRevision,
  readStoredContent,
  withSource,
} from './document.ts';
export { etagOf } from './etag.ts';
export type {
  ArtifactFamilies,
  ArtifactRules,
  Lineage,
  ScopeAddress,
  StoredRevision,
  WrittenRevision,
} from './family.ts';
export { type ArtifactDeps, artifactHandlers } from './handlers.ts';
export { findRevision, requireHead } from './store.ts';
export { type Approved, writeApproved } from './write-approved.ts';
