import type { ArtifactRef, Citation, SourceRef } from '@continuity/contract';
import { citeArtifact, distinctCitations } from '@continuity/contract/evidence';
import type {
  HandoffContent,
  HandoffContentInput,
  HandoffDraft,
  HandoffStatement,
} from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';

/** Adds the schema to a draft, which makes it content (spec 30 §3.5.1). */
export function contentOfDraft(draft: HandoffDraft): HandoffContent {
  return { schema: 'service.handoff.v1', ...draft };
}

/** Fills in the defaults of content (spec 30 §8.1). */
export function completeContent({
  next_action,
  omissions = [],
  ...rest
}: HandoffContentInput): HandoffContent {
  return {
    ...rest,
    next_action: next_action ?? null,
    omissions: omissions.map(({ text, citation }) => ({ text, citation: citation ?? null })),
  };
}

/** Canonical JSON of content, for storage, digest and comparison (spec 30 §3.2.5). */
export function canonicalContent(content: HandoffContent): string {
  return canonicalJson(content);
}

/** Size of content in UTF-8 bytes of canonical JSON, the unit of `max_bytes` (spec 30 §3.3.2). */
export function contentBytes(content: HandoffContent): number {
  return utf8Length(canonicalContent(content));
}

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
