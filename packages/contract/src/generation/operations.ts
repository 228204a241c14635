import { z } from 'zod';
import { scopeId } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { evidenceFields, generated } from '../review/shapes.ts';
import { skillOrigin } from '../skills/shapes.ts';
import { exampleGenerated, exampleGeneratedSkill, exampleScope, exampleSource } from './examples.ts';

const queued = { method: 'POST', auth: 'bearer', status: 200, run: 'job', response: generated } as const;

const rules =
  'The evidence is data: its text cannot add a reference, choose the target or set an id. `no_op` means that the ' +
  'evidence says nothing new. Requests with equal evidence and target share one job, and get the Candidate of that job ' +
  'while it is pending at version 1.';

export const generateExperience = defineOperation({
  ...queued,
  id: 'generate_experience',
  path: '/v1/experience/generate',
  tag: 'experience',
  summary: 'Generate an Experience from evidence, for review',
  description: `Makes a pending Candidate from the given Sources and Artifact revisions. ${rules}`,
  body: z.strictObject({ scope_id: scopeId, ...evidenceFields }),
  errors: [
    'artifact_conflict',
    'source_not_eligible',
    'generation_unavailable',
    'inference_unavailable',
    'inference_timeout',
  ],
  examples: [
    {
      summary: 'From the notes of a task',
      body: { scope_id: exampleScope, source_refs: [exampleSource], artifact_refs: [] },
      response: exampleGenerated,
    },
  ],
});

export const generateSkill = defineOperation({
  ...queued,
  id: 'generate_skill',
  path: '/v1/skill/generate',
  tag: 'skills',
  summary: 'Generate a Skill from evidence, for review',
  description: `Makes a pending Candidate, with a package, of the evidence that \`origin\` names. ${rules}`,
  body: z.strictObject({ scope_id: scopeId, origin: skillOrigin, ...evidenceFields }),
  errors: [
    'artifact_conflict',
    'governance_conflict',
    'source_not_eligible',
    'generation_unavailable',
    'inference_unavailable',
    'inference_timeout',
  ],
  examples: [
    {
      summary: 'From the notes of a task',
      body: {
        scope_id: exampleScope,
        origin: 'source',
        source_refs: [exampleSource],
        artifact_refs: [],
      },
      response: exampleGeneratedSkill,
    },
  ],
});

export const generationOperations = {
  generate_experience: generateExperience,
  generate_skill: generateSkill,
};
