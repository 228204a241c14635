export type { ProposedContent } from '../artifacts/index.ts';
export { createCandidate, type NewCandidate } from './create-candidate.ts';
export { checkEvidence, distinctEvidence, type References } from './evidence.ts';
export { findCandidate, findPendingOfWork, findVersion } from './find.ts';
export { proposalHandlers, type ReviewDeps, reviewHandlers } from './handlers.ts';
export { proposeOnce } from './propose.ts';
