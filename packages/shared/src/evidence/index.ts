export { citationKey, citeArtifact, citeSource, distinctCitations } from './citations.ts';
