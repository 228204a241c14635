import type { ArtifactRef, SourceRef, SourceTypeRef } from '@continuity/contract';
import { handoffId } from '@continuity/contract/handoff';

/** The reference with its keys in the order of the contract, which `jsonb` does not keep. */
export function presentArtifactRef({ family, artifact_id, revision }: ArtifactRef): ArtifactRef {
  return { family, artifact_id, revision };
}

/** The reference with its keys in the order of the contract, which `jsonb` does not keep. */
export function presentSourceRef({ name, source_id }: SourceRef): SourceRef {
  return { name, source_id };
}

/** The reference with its keys in the order of the contract, which `jsonb` does not keep. */
export function presentSourceTypeRef({ source_type, source_id }: SourceTypeRef): SourceTypeRef {
  return { source_type, source_id };
}

/** Converts the reference of a lineage to the one of evidence. */
export function toSourceRef({ source_type, source_id }: SourceTypeRef): SourceRef {
  return { name: source_type, source_id };
}

/** Converts the reference of evidence to the one of a lineage. */
export function toSourceTypeRef({ name, source_id }: SourceRef): SourceTypeRef {
  return { source_type: name, source_id };
}

/** The reference of a Source of the built-in type `content`. */
export function contentRef(sourceId: string): SourceRef {
  return { name: 'content', source_id: sourceId };
}

/** The reference of one revision of a Scope's Handoff. */
export function handoffRef(revision: number): ArtifactRef {
  return { family: 'handoff', artifact_id: handoffId, revision };
}

/** As `handoffRef`; null if there is no revision. */
export function handoffRefOrNull(revision: number | null | undefined): ArtifactRef | null {
  return revision === null || revision === undefined ? null : handoffRef(revision);
}
