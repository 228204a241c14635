export type { ProposedContent } from '../artifacts/index.ts';
export type { StoredCandidate } from './candidate.ts';
export { createCandidate, type NewCandidate, workKeyIndex } from './create-candidate.ts';
export { checkEvidence, distinctEvidence, type References } from './evidence.ts';
export { type CandidateAddress, findCandidate, findPendingOfWork, findVersion } from './find.ts';
export { proposalHandlers, type ReviewDeps, reviewHandlers } from './handlers.ts';
export { type ProposalOnce, type ProposeDeps, proposeOnce } from './propose.ts';
