import type { ArtifactRef, CandidateFamily } from '@continuity/contract';
import { citationKey, citeArtifact } from '@continuity/contract/evidence';
import type { ExperienceContent } from '@continuity/contract/experience';
import type { Evidence } from '@continuity/contract/review';
import type { SkillContent, SkillOrigin } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import type { SkillPackage } from '@continuity/skill-packages';
import type { EvidencePlace } from '../../evidence/index.ts';
import { checkEvidence, distinctEvidence } from '../../review/index.ts';
import { requireScopeKey } from '../../scopes/index.ts';
import { loadPackage } from '../../skills/index.ts';
import type { Piece } from '../piece.ts';
import { readArtifactPieces } from './artifact-pieces.ts';
import type { EvidencePlaceKey } from './place.ts';
import { readContent } from './read-content.ts';
import { readSourcePieces } from './source-pieces.ts';

/** Evidence of a generation, read on one snapshot. */
export interface ReadEvidence {
  pieces: Piece[];
  experience: ExperienceContent | null;
  skill: SkillPackage | null;
}

/**
 * Checks and reads the evidence of a generation (spec 40 §2.2). `queries` is a snapshot. `origin` is null for an Experience.
 * Throws like `checkEvidence`, because the job may run much later than its request.
 */
export async function readEvidence(
  queries: Queries,
  place: EvidencePlace,
  family: CandidateFamily,
  evidence: Evidence,
  origin: SkillOrigin | null,
): Promise<ReadEvidence> {
  await checkEvidence(queries, place, family, evidence);
  const at = { ...place, scopeKey: await requireScopeKey(queries.sql, place) };
  const { source_refs, artifact_refs, target } = distinctEvidence(evidence);
  const cited = artifact_refs.filter((ref) => !isTarget(ref, target));
  const sources = await readSourcePieces(queries, at, source_refs);
  const artifacts = await readArtifactPieces(queries, at, cited);
  const pieces = origin === 'experience' ? [...artifacts, ...sources] : [...sources, ...artifacts];
  return { pieces, ...(await readTarget(queries, at, target)) };
}

async function readTarget(
  queries: Queries,
  place: EvidencePlaceKey,
  target: ArtifactRef | null,
): Promise<Omit<ReadEvidence, 'pieces'>> {
  if (target === null) return { experience: null, skill: null };
  const content = await readContent(queries, place, target);
  if (target.family === 'experience') return { experience: content as ExperienceContent, skill: null };
  const ref = (content as SkillContent).package;
  if (ref === null) throw new Error('A stored Skill has no package.');
  return { experience: null, skill: await loadPackage(queries, place, ref.tree_digest) };
}

function isTarget(ref: ArtifactRef, target: ArtifactRef | null): boolean {
  return target !== null && citationKey(citeArtifact(ref)) === citationKey(citeArtifact(target));
}
