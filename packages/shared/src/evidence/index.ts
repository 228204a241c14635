export { type EvidencePlace, type FoundEvidence, findEvidence } from './readable.ts';
export { requireEvidence } from './require.ts';
