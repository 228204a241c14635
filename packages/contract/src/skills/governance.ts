import { z } from 'zod';
import { artifactRef, int, sourceRef, token } from '../notation/shapes.ts';
import { lifecycleState, skillContent } from './shapes.ts';

export const skillGovernance = z
  .strictObject({
    artifact: artifactRef.meta({ description: 'The current head.' }),
    lifecycle_state: lifecycleState,
    replacement_artifact_id: token(1, 128).nullable(),
    governance_generation: int(0),
  })
  .meta({
    id: 'SkillGovernance',
    description: 'The lifecycle of a Skill. Each change adds 1 to the generation.',
  });

const revision = {
  artifact: artifactRef,
  content: skillContent,
  source_refs: z.array(sourceRef),
  artifact_refs: z.array(artifactRef),
};

export const skillRevision = z
  .strictObject(revision)
  .meta({ id: 'SkillRevision', description: 'One revision of a Skill, with the evidence of its Candidate.' });

export const managedSkill = z
  .strictObject({ ...revision, governance: skillGovernance })
  .meta({ id: 'ManagedSkill', description: 'The head of a Skill, with its lifecycle.' });

export type SkillGovernance = z.infer<typeof skillGovernance>;
export type SkillRevision = z.infer<typeof skillRevision>;
