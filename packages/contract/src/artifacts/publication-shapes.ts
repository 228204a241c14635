import { z } from 'zod';
import { artifactAddress, hex64 } from '../notation/shapes.ts';

export const artifactPublication = z
  .strictObject({
    source: artifactAddress,
    target: artifactAddress,
    content_digest: hex64.meta({
      description: 'SHA-256 of the content of both revisions, without a prefix.',
    }),
  })
  .meta({ id: 'ArtifactPublication' });

export type ArtifactPublication = z.infer<typeof artifactPublication>;
