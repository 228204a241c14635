export { citationKey, citeArtifact, citeSource, distinctCitations } from './citations.ts';
export { type EvidencePlace, type FoundEvidence, findEvidence } from './readable.ts';
export { requireEvidence } from './require.ts';
