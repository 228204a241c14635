import type { Family } from '@continuity/contract';
import type { ArtifactCreated, ArtifactItem, ArtifactRevision } from '@continuity/contract/artifacts';
import { asDigest } from '@continuity/kernel/json';
import { presentArtifactRef, presentSourceTypeRef } from '../evidence/index.ts';
import { etagOf } from './etag.ts';
import type { RevisionFacts, WrittenRevision } from './family.ts';

/** The Scope and Family of a revision. */
interface Place {
  scopeId: string;
  family: Family;
}

/** A revision in the shape of the contract, with its entity tag. */
export interface TaggedRevision {
  body: ArtifactRevision;
  etag: string;
}

/** Returns the answer to a Create. */
export function presentCreated({ scopeId, family }: Place, revision: RevisionFacts): ArtifactCreated {
  return {
    scope_id: scopeId,
    family,
    artifact_id: revision.artifactId,
    revision: revision.revision,
    sources: revision.sources.map(presentSourceTypeRef),
    artifacts: revision.artifacts.map(presentArtifactRef),
  };
}

/** Returns an item of a list. `contentDigest` is 64 hex digits. */
export function presentItem(place: Place, revision: RevisionFacts, contentDigest: string): ArtifactItem {
  return { ...presentCreated(place, revision), content_digest: asDigest(contentDigest) };
}

/** Returns the answer to a read or a Replace, with the entity tag. */
export function presentRevision(place: Place, revision: WrittenRevision): TaggedRevision {
  // Each Family returns content of its own shape; tests check the answers against the contract.
  const content = revision.content as ArtifactRevision['content'];
  const created = presentCreated(place, revision);
  return {
    body: { ...created, content, content_digest: asDigest(revision.contentDigest) },
    etag: etagOf(place.scopeId, created, revision.contentDigest),
  };
}
