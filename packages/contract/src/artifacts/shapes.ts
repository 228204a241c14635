import { z } from 'zod';
import { experienceContent } from '../experience/shapes.ts';
import { handoffContent, handoffContentInput } from '../handoff/shapes.ts';
import { memoryContent, memoryCreateContent, memoryReplaceContent } from '../memory/artifact-shapes.ts';
import { artifactRef, digest, family, int, scopeId, sourceTypeRef, token } from '../notation/shapes.ts';
import { skillContent, skillContentInput } from '../skills/shapes.ts';

const artifactFields = {
  scope_id: scopeId,
  family,
  artifact_id: token(1, 128),
  revision: int(1),
  sources: z.array(sourceTypeRef).meta({
    description: 'What the revision was made from: first the Source that recorded its request.',
  }),
  artifacts: z.array(artifactRef),
};

export const artifactCreated = z.strictObject(artifactFields).meta({ id: 'ArtifactCreated' });

export const artifactItem = z
  .strictObject({ ...artifactFields, content_digest: digest })
  .meta({ id: 'ArtifactCollectionItem' });

export const artifactRevision = z
  .strictObject({
    ...artifactFields,
    content: z.union([memoryContent, experienceContent, skillContent, handoffContent]),
    content_digest: digest,
  })
  .meta({ id: 'ArtifactRevision' });

export const artifactPage = z
  .strictObject({ items: z.array(artifactItem), next_cursor: z.string().nullable() })
  .meta({ id: 'ArtifactPage' });

/** One shape a Family; the content as sent is recorded, so that these have neither defaults nor transforms. */
export const createRequest = z
  .discriminatedUnion('family', [
    z.strictObject({ family: z.literal('memory'), content: memoryCreateContent }),
    z.strictObject({ family: z.literal('experience'), content: experienceContent }),
    z.strictObject({ family: z.literal('skill'), content: skillContentInput }),
    z.strictObject({ family: z.literal('handoff'), content: handoffContentInput }),
  ])
  .meta({ id: 'CreateArtifactRequest' });

/** One shape a Family; that of the path is the one that a body must have. */
export const replaceRequests = {
  memory: z.strictObject({ content: memoryReplaceContent }),
  experience: z.strictObject({ content: experienceContent }),
  skill: z.strictObject({ content: skillContentInput }),
  handoff: z.strictObject({ content: handoffContentInput }),
};

export const replaceRequest = z.union(Object.values(replaceRequests)).meta({ id: 'ReplaceArtifactRequest' });

export type ArtifactCreated = z.infer<typeof artifactCreated>;
export type ArtifactItem = z.infer<typeof artifactItem>;
export type ArtifactRevision = z.infer<typeof artifactRevision>;
export type ArtifactPage = z.infer<typeof artifactPage>;
export type CreateRequest = z.infer<typeof createRequest>;
export type ReplaceRequest = z.infer<typeof replaceRequest>;
