import { type ArtifactRef, isBlank } from '@continuity/contract';
import type { SearchHit } from '@continuity/contract/memory';
import { presentArtifactRef } from '../evidence/index.ts';
import type { ExperienceHit } from '../experience/index.ts';
import { jsonLine } from './json-line.ts';

/** The source of an item: a Memory entry version, or the revision of an Experience if `entry` is null. */
export interface Origin {
  scopeId: string;
  artifact: ArtifactRef;
  entry: { entry_id: string; entry_version_id: string } | null;
}

/** A search hit that can become an item. */
export interface Candidate {
  kind: 'memory' | 'experience';
  /** The citation as JSON; it identifies the candidate. */
  citation: string;
  /** Whole, of any length. */
  text: string;
  origin: Origin;
}

/** The candidate of a Memory entry; undefined for a blank one. An entry of another Scope is cited with its Scope. */
export function memoryCandidate(
  currentScopeId: string,
  scopeId: string,
  { citation, text }: Pick<SearchHit, 'citation' | 'text'>,
): Candidate | undefined {
  if (isBlank(text)) return undefined;
  const { memory_ref, entry_id, entry_version_id } = citation;
  // The rendered citation has the fields in the order of the contract (spec 20 P9).
  const artifact = presentArtifactRef(memory_ref);
  const cited =
    scopeId === currentScopeId ? { memory_ref: artifact } : { memory: { scope_id: scopeId, artifact } };
  return {
    kind: 'memory',
    citation: jsonLine({ ...cited, entry_id, entry_version_id }),
    text,
    origin: { scopeId, artifact, entry: { entry_id, entry_version_id } },
  };
}

/** The candidate of the head of an Experience; undefined for a blank one. One of another Scope is cited with its Scope. */
export function experienceCandidate(
  currentScopeId: string,
  scopeId: string,
  { artifact_id, revision, content }: Omit<ExperienceHit, 'score'>,
): Candidate | undefined {
  const { situation, action, outcome, lesson } = content;
  if (isBlank(situation + action + outcome + lesson)) return undefined;
  const artifact = { family: 'experience', artifact_id, revision };
  const cited =
    scopeId === currentScopeId ? { artifact_ref: artifact } : { artifact: { scope_id: scopeId, artifact } };
  return {
    kind: 'experience',
    citation: jsonLine(cited),
    text: `Situation: ${situation}\nAction: ${action}\nOutcome: ${outcome}\nLesson: ${lesson}`,
    origin: { scopeId, artifact, entry: null },
  };
}
