import type { ArtifactRef, Citation, SourceRef } from '@continuity/contract';
import { citeArtifact, distinctCitations } from '@continuity/contract/evidence';
import type { HandoffDraft, HandoffStatement } from '@continuity/contract/handoff';

/** Sources and Artifacts that a content cites, distinct and in order of first appearance (spec 30 §3.2.3). */
export interface HandoffLineage {
  sources: SourceRef[];
  artifacts: ArtifactRef[];
}

/** The statements of `state` in order, then `next_action`. */
export function statementsOf({ state, next_action }: HandoffDraft): HandoffStatement[] {
  return next_action === null ? state : [...state, next_action];
}

/** The distinct Citations that must be readable. Excludes those of omissions (spec 30 §3.2.2). */
export function directCitations(content: HandoffDraft): Citation[] {
  return distinctCitations(statementsOf(content).flatMap(({ citations }) => citations));
}

/** The lineage of content, from the Citations of its statements. */
export function lineageOf(content: HandoffDraft): HandoffLineage {
  const direct = directCitations(content);
  const artifacts = direct.flatMap((citation) => {
    if (citation.kind === 'artifact') return [citation.artifact_ref];
    return citation.kind === 'memory' ? [citation.memory_citation.memory_ref] : [];
  });
  return {
    sources: direct.flatMap((citation) => (citation.kind === 'source' ? [citation.source_ref] : [])),
    artifacts: distinctCitations(artifacts.map(citeArtifact)).flatMap((citation) =>
      citation.kind === 'artifact' ? [citation.artifact_ref] : [],
    ),
  };
}
