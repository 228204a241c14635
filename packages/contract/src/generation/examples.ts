import type { Candidate, Generated } from '../review/shapes.ts';

export const exampleScope = 'project:demo';
export const exampleSource = { name: 'content', source_id: 'task-1' };

const exampleCandidate = {
  version: 1,
  status: 'pending',
  source_refs: [exampleSource],
  artifact_refs: [],
  target: null,
  reason: null,
  result_artifact: null,
  decision_reason: null,
} satisfies Partial<Candidate>;

export const exampleGenerated: Generated = {
  status: 'pending',
  candidate: {
    ...exampleCandidate,
    candidate_id: '01993c1e-7b1a-7c3d-9e2f-5a6b7c8d9e01',
    family: 'experience',
    proposal: {
      situation: 'The public HTTP contract changed.',
      action: 'The client was generated again.',
      outcome: 'The contract tests passed.',
      lesson: 'Generate the client before running the contract tests.',
    },
  },
};

export const exampleGeneratedSkill: Generated = {
  status: 'pending',
  candidate: {
    ...exampleCandidate,
    candidate_id: '01993c1e-9c44-7d0a-8b11-1f2e3d4c5b6a',
    family: 'skill',
    proposal: {
      name: 'retro-of-the-march-outage',
      description: 'Use when: Retro of the March outage',
      instructions:
        '## When\n\n- Checkout requests timed out at nine.\n\n## Steps\n\n1. The pool was raised to forty connections.\n\n' +
        '## Validation\n\n- Latency went back to normal.',
      validation: [],
      package: {
        tree_digest: '99dc4663fac85b3988f6f7702fc8d4d45d8ac492d3c3e432239afb1a8b81d66c',
        archive_digest: '2ab3d2d24caa99ee245367015fd9e1a2de282554a2712b1b5611b7dd91de614f',
        file_count: 1,
        uncompressed_size: 318,
        archive_size: 440,
      },
      license: null,
      compatibility: null,
      metadata: {},
      allowed_tools: null,
    },
  },
};
