export { findCandidate, findPendingOfWork, findVersion } from './candidate.ts';
export { createCandidate, type NewCandidate } from './create-candidate.ts';
export { checkEvidence, distinctEvidence, type References } from './evidence.ts';
export type {
  AskedPart,
  CandidateFamilies,
  CandidateRules,
  PackageReader,
  Proposed,
  ScopePlace,
} from './family.ts';
export { proposalHandlers, type ReviewDeps, reviewHandlers } from './handlers.ts';
export { proposeOnce } from './propose.ts';
