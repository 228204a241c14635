import type { ArtifactRef, Citation } from '@continuity/contract';

/** A Citation in the words of a document: its kind and its reference. */
export function describeCitation(citation: Citation): string {
  switch (citation.kind) {
    case 'source':
      return `source ${citation.source_ref.name}/${citation.source_ref.source_id}`;
    case 'artifact':
      return `artifact ${describeRevision(citation.artifact_ref)}`;
    case 'memory': {
      const { memory_ref, entry_id, entry_version_id } = citation.memory_citation;
      return `memory ${describeRevision(memory_ref)}#${entry_id}/${entry_version_id}`;
    }
  }
}

/** `family/artifact_id@n` */
export function describeRevision({ family, artifact_id, revision }: ArtifactRef): string {
  return `${family}/${artifact_id}@${revision}`;
}
