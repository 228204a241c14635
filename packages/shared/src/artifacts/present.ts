import type { ArtifactRef, Family } from '@continuity/contract';
import type { ArtifactCreated, ArtifactItem, ArtifactRevision } from '@continuity/contract/artifacts';
import { asDigest } from '@continuity/shared/kernel';
import { etagOf } from './etag.ts';
import type { RevisionFacts, WrittenRevision } from './family.ts';

/** Whose revision it is. */
interface Place {
  scopeId: string;
  family: Family;
}

/** A revision as it is answered, with its entity tag. */
export interface TaggedRevision {
  body: ArtifactRevision;
  etag: string;
}

export function presentCreated({ scopeId, family }: Place, revision: RevisionFacts): ArtifactCreated {
  return {
    scope_id: scopeId,
    family,
    artifact_id: revision.artifactId,
    revision: revision.revision,
    sources: revision.sources.map(({ source_type, source_id }) => ({ source_type, source_id })),
    artifacts: revision.artifacts.map(presentRef),
  };
}

/** `contentDigest`: 64 hex digits. */
export function presentItem(place: Place, revision: RevisionFacts, contentDigest: string): ArtifactItem {
  return { ...presentCreated(place, revision), content_digest: asDigest(contentDigest) };
}

export function presentRevision(place: Place, revision: WrittenRevision): TaggedRevision {
  // Each Family computes what its shape says; the tests hold the answers against the contract.
  const content = revision.content as ArtifactRevision['content'];
  const created = presentCreated(place, revision);
  return {
    body: { ...created, content, content_digest: asDigest(revision.contentDigest) },
    etag: etagOf(place.scopeId, created, revision.contentDigest),
  };
}

/** Rows keep references as `jsonb`, which orders keys its own way. */
function presentRef({ family, artifact_id, revision }: ArtifactRef): ArtifactRef {
  return { family, artifact_id, revision };
}
