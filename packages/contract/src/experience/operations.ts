import { z } from 'zod';
import { artifactRef, scopeId, shortId, sourceRef, withOneOf } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleExperience, experienceContent } from './shapes.ts';

export const experienceRevision = z
  .strictObject({
    artifact: artifactRef,
    content: experienceContent,
    source_refs: z.array(sourceRef),
    artifact_refs: z.array(artifactRef),
  })
  .meta({
    id: 'ExperienceRevision',
    description: 'One revision of an Experience, with the evidence of its Candidate.',
  });

const exampleArtifact = {
  family: 'experience',
  artifact_id: '01a0521c-c533-7f28-9fb1-7c2390c192cf',
  revision: 1,
} as const;

export const getExperience = defineOperation({
  tag: 'experience',
  method: 'POST',
  auth: 'bearer',
  run: 'direct',
  id: 'get_experience',
  path: '/v1/experience/get',
  summary: 'Read one revision of an Experience',
  description:
    'Give either `artifact` or `short_id`. Returns exactly the named revision, whether it is the head or not.',
  body: withOneOf(
    z.strictObject({ scope_id: scopeId, artifact: artifactRef.optional(), short_id: shortId.optional() }),
    'artifact',
    'short_id',
  ),
  status: 200,
  response: experienceRevision,
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'The first revision',
      body: { scope_id: 'project:atlas-billing', artifact: exampleArtifact },
      response: {
        artifact: exampleArtifact,
        content: exampleExperience,
        source_refs: [{ name: 'content', source_id: 'task-1' }],
        artifact_refs: [],
      },
    },
  ],
});

export const experienceOperations = { get_experience: getExperience };

export type ExperienceRevision = z.infer<typeof experienceRevision>;
