import type { ArtifactRef } from '@continuity/contract';
import type { Queries } from '@continuity/kernel/database';
import type { EvidencePlaceKey } from './place.ts';

/** Reads the content of an Artifact revision that exists and is no Memory. Its Family has checked the shape. */
export async function readContent(
  { prisma }: Queries,
  { tenantId, scopeKey }: EvidencePlaceKey,
  { family, artifact_id: artifactId, revision }: ArtifactRef,
): Promise<unknown> {
  const { artifactKey } = await prisma.artifact.findUniqueOrThrow({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
    select: { artifactKey: true },
  });
  const { content } = await prisma.artifactRevision.findUniqueOrThrow({
    where: { tenantId_artifactKey_revision: { tenantId, artifactKey, revision } },
    select: { content: true },
  });
  if (content === null) throw new Error(`The revision of a ${family} has no content.`);
  return JSON.parse(content);
}
