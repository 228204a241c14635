import type { ArtifactRef, Family, GeneratedFamily } from '@continuity/contract';
import { citationKey, citeArtifact } from '@continuity/contract/evidence';
import type { Queries } from '@continuity/kernel/database';
import type { EvidencePlace } from '../../evidence/index.ts';
import { checkEvidence, distinctEvidence } from '../../review/index.ts';
import { requireScopeKey } from '../../scopes/index.ts';
import type { EvidencePlaceKey, GenerationFamilies, GenerationRequest } from '../family.ts';
import type { Piece } from '../piece.ts';
import { readSourcePieces } from './source-pieces.ts';

/** Evidence of a generation, read on one snapshot. */
export interface ReadEvidence {
  pieces: Piece[];
  /** As `readTarget` of the Family returns it; null without a target. */
  target: unknown;
}

/**
 * Checks and reads the evidence of a generation (spec 40 §2.2). `queries` is a snapshot. Throws like `checkEvidence`, because the job
 * may run much later than its request.
 */
export async function readEvidence(
  queries: Queries,
  families: GenerationFamilies,
  place: EvidencePlace,
  family: GeneratedFamily,
  request: GenerationRequest,
): Promise<ReadEvidence> {
  const { candidates, generation } = families[family];
  await checkEvidence(queries, place, candidates, request);
  const at = { ...place, scopeKey: await requireScopeKey(queries.sql, place) };
  const { source_refs, artifact_refs, target } = distinctEvidence(request);
  const cited = artifact_refs.filter((ref) => !isTarget(ref, target));
  const sources = await readSourcePieces(queries, at, source_refs);
  const artifacts = await readArtifactPieces(queries, families, at, cited);
  return {
    pieces: generation.readsArtifactsFirst(request) ? [...artifacts, ...sources] : [...sources, ...artifacts],
    target: target === null ? null : await generation.readTarget(queries, at, target),
  };
}

/** Reads Artifact revisions that exist as pieces, in order. */
async function readArtifactPieces(
  queries: Queries,
  families: GenerationFamilies,
  place: EvidencePlaceKey,
  refs: readonly ArtifactRef[],
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  // One at a time: a snapshot has one connection.
  for (const ref of refs) pieces.push(await families[ref.family as Family].readPiece(queries, place, ref));
  return pieces;
}

/** Reads the content of an Artifact revision that exists and stores its content. Its Family has checked the shape. */
export async function readContent<Content>(
  { prisma }: Queries,
  { tenantId, scopeKey }: EvidencePlaceKey,
  { family, artifact_id: artifactId, revision }: ArtifactRef,
): Promise<Content> {
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

function isTarget(ref: ArtifactRef, target: ArtifactRef | null): boolean {
  return target !== null && citationKey(citeArtifact(ref)) === citationKey(citeArtifact(target));
}
