import type { ArtifactRef, CandidateFamily, Citation, Issue, SourceRef } from '@continuity/contract';
import { citationKey, citeArtifact, citeSource } from '@continuity/contract/evidence';
import { type Evidence, maxReferences } from '@continuity/contract/review';
import type { Queries } from '@continuity/kernel/database';
import { invalidRequest, requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { requireHead } from '../artifacts/index.ts';
import { type EvidencePlace, findEvidence } from '../evidence/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import type { TargetRules } from './family.ts';

/** The references of a request. */
export type References = Pick<Evidence, 'source_refs' | 'artifact_refs'>;

/** A reference at its place in the request, such as `source_refs[1]`. */
interface SentReference {
  path: string;
  citation: Citation;
}

/**
 * Drops exact duplicates, and keeps the order (spec 40 §1.1). Throws 422 at `source_refs` unless 1 to 32
 * references remain. The body alone decides this, so it comes before anything that is stored.
 */
export function distinctEvidence<E extends References>(evidence: E): E {
  const distinct = distinctReferences(evidence).map(({ citation }) => citation);
  if (distinct.length === 0 || distinct.length > maxReferences) {
    const message = `and artifact_refs together must have 1 to ${maxReferences} references without duplicates`;
    throw invalidRequest([{ path: 'source_refs', message }]);
  }
  return { ...evidence, source_refs: sourcesOf(distinct), artifact_refs: artifactsOf(distinct) };
}

/**
 * Checks evidence against what is stored, in the order of spec 40 §1.1.5: each reference exists in the Scope, none is
 * lineage only, and the target can be replaced. `evidence` is as sent, so that an issue names the place of its reference.
 *
 * Run it before the slow part of a request, and again in the transaction that writes: a target may move meanwhile. Throws
 * 422 `invalid_request` and `source_not_eligible`, 409 `artifact_conflict` and `governance_conflict`.
 */
export async function checkEvidence(
  queries: Queries,
  place: EvidencePlace,
  rules: TargetRules,
  evidence: Evidence,
): Promise<void> {
  const references = distinctReferences(evidence);
  const found = await findEvidence(
    queries.sql,
    place,
    references.map(({ citation }) => citation),
  );
  requireNoIssues(
    references
      .filter(({ citation }) => !found.isReadable(citation) && !found.isLineageOnly(citation))
      .map(({ path }): Issue => ({ path, message: 'must exist in this Scope' })),
  );
  for (const { citation } of references) {
    if (citation.kind === 'source' && found.isLineageOnly(citation)) {
      throw serviceError('source_not_eligible', { details: { source_ref: citation.source_ref } });
    }
  }
  if (evidence.target === null) return;
  requireTargetCited(rules.family, evidence.target, evidence.artifact_refs);
  await checkTarget(queries, place, rules, evidence.target);
}

/**
 * Checks that a target is the head of its Artifact, and may be replaced (spec 40 §1.1.4). Throws 409 `artifact_conflict` and
 * the errors of the Family. The caller has found that the target exists.
 */
export async function checkTarget(
  queries: Queries,
  { tenantId, scopeId }: EvidencePlace,
  rules: TargetRules,
  target: ArtifactRef,
): Promise<void> {
  const { family, artifact_id: artifactId } = target;
  const scopeKey = await findScopeKey(queries.sql, tenantId, scopeId);
  if (scopeKey === undefined) throw new Error('The Scope of a target does not exist.');
  const { artifactKey, headRevision } = await queries.prisma.artifact.findUniqueOrThrow({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
  });
  requireHead(target, headRevision);
  await rules.checkTarget(queries, { tenantId, artifactKey });
}

function requireTargetCited(family: CandidateFamily, target: ArtifactRef, cited: ArtifactRef[]): void {
  const key = citationKey(citeArtifact(target));
  const isCited = cited.some((one) => citationKey(citeArtifact(one)) === key);
  if (target.family === family && isCited) return;
  const message = `must be an Artifact of the Family ${family}, and one of artifact_refs`;
  throw invalidRequest([{ path: 'target', message }]);
}

function distinctReferences({ source_refs, artifact_refs }: References): SentReference[] {
  const sent: SentReference[] = [
    ...source_refs.map((ref, index) => ({ path: `source_refs[${index}]`, citation: citeSource(ref) })),
    ...artifact_refs.map((ref, index) => ({ path: `artifact_refs[${index}]`, citation: citeArtifact(ref) })),
  ];
  const first = new Map<string, SentReference>();
  for (const reference of sent) {
    const key = citationKey(reference.citation);
    if (!first.has(key)) first.set(key, reference);
  }
  return [...first.values()];
}

function sourcesOf(citations: Citation[]): SourceRef[] {
  return citations.flatMap((citation) => (citation.kind === 'source' ? [citation.source_ref] : []));
}

function artifactsOf(citations: Citation[]): ArtifactRef[] {
  return citations.flatMap((citation) => (citation.kind === 'artifact' ? [citation.artifact_ref] : []));
}
