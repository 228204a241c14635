// Values that the examples of the operations on Candidates share.

export const exampleScope = 'project:atlas-billing';
export const exampleCandidateId = '01993c1e-7b1a-7c3d-9e2f-5a6b7c8d9e01';

export const exampleProposal = {
  situation: 'The public HTTP contract changed.',
  action: 'The client was generated again.',
  outcome: 'The contract tests passed.',
  lesson: 'Generate the client before running the contract tests.',
};

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
  reason: 'Seen twice in March.',
  result_artifact: null,
  decision_reason: null,
};

const skillFields = {
  name: 'openapi-change',
  description: 'Use when the public HTTP contract changes.',
};

export const exampleSkillProposal = {
  ...skillFields,
  instructions: 'Regenerate the client, read the diff, run the contract tests.',
  validation: ['contract tests pass'],
};

/** The proposal as it is stored: as its package says it. */
export const exampleSkillCandidate = {
  ...exampleCandidate,
  candidate_id: '01993c20-10aa-7f00-8a11-0c0ffee00001',
  family: 'skill',
  proposal: {
    ...skillFields,
    instructions:
      'Regenerate the client, read the diff, run the contract tests.\n\n## Validation\n\n- contract tests pass',
    validation: [],
    package: {
      tree_digest: '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec',
      archive_digest: 'be5ff2409ab6f8b1699c100997cb66b18588cc97390c79c58c947fc2ac3b4fa3',
      file_count: 1,
      uncompressed_size: 190,
      archive_size: 304,
    },
    license: null,
    compatibility: null,
    metadata: {},
    allowed_tools: null,
  },
  reason: null,
};

export const exampleResult = {
  family: 'experience',
  artifact_id: '01993c30-aaaa-7000-8000-000000000001',
  revision: 1,
};
