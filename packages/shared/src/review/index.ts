export type { StoredCandidate } from './candidate.ts';
export type { ProposedContent } from './content.ts';
export { createCandidate, type NewCandidate, workKeyIndex } from './create-candidate.ts';
export { checkEvidence, distinctEvidence, type References } from './evidence.ts';
export { type CandidateAddress, findCandidate, findPendingOfWork, findVersion } from './find.ts';
