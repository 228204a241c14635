import type { ArtifactRef, Citation, MemoryCitation, SourceRef } from '../notation/shapes.ts';

/** A key that is equal for equal Citations only. */
export function citationKey(citation: Citation): string {
  return JSON.stringify(parts(citation));
}

/** Removes duplicates. Keeps the order of first appearance. */
export function distinctCitations(citations: Iterable<Citation>): Citation[] {
  const first = new Map<string, Citation>();
  for (const citation of citations) {
    const key = citationKey(citation);
    if (!first.has(key)) first.set(key, citation);
  }
  return [...first.values()];
}

export function citeSource(source: SourceRef): Citation {
  return { kind: 'source', source_ref: source };
}

export function citeArtifact(artifact: ArtifactRef): Citation {
  return { kind: 'artifact', artifact_ref: artifact };
}

function parts(citation: Citation): (string | number)[] {
  switch (citation.kind) {
    case 'source':
      return [citation.kind, citation.source_ref.name, citation.source_ref.source_id];
    case 'artifact':
      return [citation.kind, ...artifactParts(citation.artifact_ref)];
    case 'memory':
      return [citation.kind, ...memoryParts(citation.memory_citation)];
  }
}

function artifactParts({ family, artifact_id, revision }: ArtifactRef): (string | number)[] {
  return [family, artifact_id, revision];
}

function memoryParts({ memory_ref, entry_id, entry_version_id }: MemoryCitation): (string | number)[] {
  return [...artifactParts(memory_ref), entry_id, entry_version_id];
}
