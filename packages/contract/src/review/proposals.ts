import { z } from 'zod';
import { experienceContent } from '../experience/shapes.ts';
import { scopeId, token } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { skillContentInput } from '../skills/shapes.ts';
import {
  exampleCandidate,
  exampleProposal,
  exampleReferences,
  exampleScope,
  exampleSkillCandidate,
  exampleSkillProposal,
} from './examples.ts';
import { candidate, evidenceFields } from './shapes.ts';

const proposing = {
  method: 'POST',
  tag: 'review',
  auth: 'bearer',
  run: 'direct',
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  status: 201,
  response: candidate,
} as const;

const once =
  'The evidence must exist in the Scope. Searches find the proposal only after its approval. Without `Idempotency-Key`, two ' +
  'equal calls make two Candidates.';

export const proposeExperience = defineOperation({
  ...proposing,
  id: 'propose_experience',
  path: '/v1/experience/propose',
  summary: 'Propose an Experience for review',
  description: `Stores a pending Candidate with the proposal as sent. ${once}`,
  body: z.strictObject({ scope_id: scopeId, proposal: experienceContent, ...evidenceFields }),
  errors: ['artifact_conflict', 'candidate_conflict', 'source_not_eligible'],
  examples: [
    {
      summary: 'A lesson, with the Source that it comes from',
      parameters: { 'Idempotency-Key': 'lesson-412' },
      body: {
        scope_id: exampleScope,
        proposal: exampleProposal,
        ...exampleReferences,
        reason: exampleCandidate.reason,
      },
      response: exampleCandidate,
    },
  ],
});

export const proposeSkill = defineOperation({
  ...proposing,
  id: 'propose_skill',
  path: '/v1/skill/propose',
  summary: 'Propose a Skill for review',
  description:
    'Stores a pending Candidate. A proposal without a package gets one with a single file, `SKILL.md`, and the answer has ' +
    `the content of that package. ${once}`,
  bodyLimit: 2 * MiB,
  body: z.strictObject({ scope_id: scopeId, proposal: skillContentInput, ...evidenceFields }),
  errors: ['artifact_conflict', 'candidate_conflict', 'governance_conflict', 'source_not_eligible'],
  examples: [
    {
      summary: 'A Skill without a package',
      body: { scope_id: exampleScope, proposal: exampleSkillProposal, ...exampleReferences },
      response: exampleSkillCandidate,
    },
  ],
});

export const proposalOperations = {
  propose_experience: proposeExperience,
  propose_skill: proposeSkill,
};
