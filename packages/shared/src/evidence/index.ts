export { type EvidencePlace, type FoundEvidence, findEvidence, findEvidenceOf } from './readable.ts';
export { requireEvidence } from './require.ts';
