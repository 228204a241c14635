import { experienceCandidate, memoryCandidate } from './candidate.ts';
import { type Fitted, fitCandidates } from './fit.ts';

const scopeId = 'project-alpha';

const entry = memoryCandidate(scopeId, scopeId, {
  citation: {
    memory_ref: { family: 'memory', artifact_id: 'memory', revision: 7 },
    entry_id: '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4',
    entry_version_id: '0199c1a0-7d11-7a02-8c77-5be1f3a90c66',
  },
  text: 'Run the contract tests after every change of the HTTP schemas.',
  evidence: null,
});

const experience = experienceCandidate(scopeId, scopeId, {
  artifact_id: '0199c19f-2204-7c3d-b0aa-91d6e7f82c55',
  revision: 1,
  content: {
    situation: 'The client was stale after a schema change.',
    action: 'Regenerated it, then ran the tests.',
    outcome: 'All green.',
    lesson: 'Regenerate first.',
  },
  evidence: null,
});

/** What the example of the contract answers. */
export const exampleContext: Fitted | undefined = fitCandidates(
  [entry, experience].filter((candidate) => candidate !== undefined),
  8_000,
);
