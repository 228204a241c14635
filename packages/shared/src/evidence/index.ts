export { type EvidencePlace, type FoundEvidence, findEvidence, findEvidenceOf } from './find-evidence.ts';
export { requireEvidence } from './require-evidence.ts';
