export { type ArtifactDeps, artifactHandlers } from './handlers.ts';
