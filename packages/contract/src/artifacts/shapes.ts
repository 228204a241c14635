import { z } from 'zod';
import { type Family, family, familyCatalog, familyNames } from '../families/catalog.ts';
import {
  artifactAddress,
  artifactRef,
  digest,
  hex64,
  int,
  scopeId,
  sourceTypeRef,
  token,
} from '../notation/shapes.ts';

const artifactFields = {
  scope_id: scopeId,
  family,
  artifact_id: token(1, 128),
  revision: int(1),
  sources: z.array(sourceTypeRef).meta({
    description: 'Sources of the revision. The first one records its request.',
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
    content: z.union(familyNames.map((name) => familyCatalog[name].content)),
    content_digest: digest,
  })
  .meta({ id: 'ArtifactRevision' });

export const artifactPage = z
  .strictObject({ items: z.array(artifactItem), next_cursor: z.string().nullable() })
  .meta({ id: 'ArtifactPage' });

const createRequests = familyNames.map((name) =>
  z.strictObject({ family: z.literal(name), content: familyCatalog[name].createContent }),
);
type CreateShape = (typeof createRequests)[number];

/** Create requests, by Family. */
export const createRequest = z
  .discriminatedUnion('family', createRequests as [CreateShape, ...CreateShape[]])
  .meta({ id: 'CreateArtifactRequest' });

type ReplaceShape = z.ZodObject<
  { content: (typeof familyCatalog)[Family]['replaceContent'] },
  z.core.$strict
>;

/** Replace requests, by Family. The path of a request names the Family. */
export const replaceRequests = Object.fromEntries(
  familyNames.map((name) => [name, z.strictObject({ content: familyCatalog[name].replaceContent })]),
) as Record<Family, ReplaceShape>;

export const replaceRequest = z.union(Object.values(replaceRequests)).meta({ id: 'ReplaceArtifactRequest' });

export const artifactPublication = z
  .strictObject({
    source: artifactAddress,
    target: artifactAddress,
    content_digest: hex64.meta({
      description: 'SHA-256 of the content of both revisions, without a prefix.',
    }),
  })
  .meta({ id: 'ArtifactPublication' });

export type ArtifactCreated = z.infer<typeof artifactCreated>;
export type ArtifactItem = z.infer<typeof artifactItem>;
export type ArtifactRevision = z.infer<typeof artifactRevision>;
export type ArtifactPage = z.infer<typeof artifactPage>;
export type CreateRequest = z.infer<typeof createRequest>;
export type ReplaceRequest = z.infer<typeof replaceRequest>;
export type ArtifactPublication = z.infer<typeof artifactPublication>;
