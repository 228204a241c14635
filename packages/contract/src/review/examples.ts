import { exampleExperience, experienceFamily } from '../experience/shapes.ts';
import { skillFamily } from '../skills/family.ts';

// Values that the examples of the operations on Candidates share.

export const exampleScope = 'project:atlas-billing';
export const exampleCandidateId = experienceFamily.proposal.example.candidateId;
export const exampleSkillCandidateId = skillFamily.proposal.example.candidateId;
export const exampleProposal = exampleExperience;

export const exampleReferences = {
  source_refs: [{ name: 'content', source_id: 'ci/8841' }],
  artifact_refs: [],
};

export const exampleCandidate = {
  candidate_id: exampleCandidateId,
  version: 1,
  family: 'experience',
  status: 'pending',
  proposal: exampleProposal,
  ...exampleReferences,
  target: null,
  reason: experienceFamily.proposal.example.reason,
  result_artifact: null,
  decision_reason: null,
};

export const exampleResult = {
  family: 'experience',
  artifact_id: '01993c30-aaaa-7000-8000-000000000001',
  revision: 1,
};
