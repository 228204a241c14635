import { type ArtifactRef, isBlank } from '@continuity/contract';
import type { SearchHit } from '@continuity/contract/memory';
import type { ExperienceHit } from '../experience/index.ts';
import { jsonLine } from './escape.ts';

/** What an item was made from: a Memory entry version, or the revision of an Experience where `entry` is null. */
export interface Origin {
  scopeId: string;
  artifact: ArtifactRef;
  entry: { entry_id: string; entry_version_id: string } | null;
}

/** Something that may become an item. */
export interface Candidate {
  kind: 'memory' | 'experience';
  /** The citation as the item shows it. Two candidates with the same one are the same. */
  citation: string;
  /** Not bounded yet. */
  text: string;
  origin: Origin;
}

/** A Memory entry of a Scope in reach of `currentScopeId`; undefined where it has nothing to say. */
export function memoryCandidate(
  currentScopeId: string,
  scopeId: string,
  { citation, text }: Pick<SearchHit, 'citation' | 'text'>,
): Candidate | undefined {
  if (isBlank(text)) return undefined;
  const { memory_ref, entry_id, entry_version_id } = citation;
  const address = { scope_id: scopeId, artifact: artifactOf(memory_ref) };
  const named = scopeId === currentScopeId ? { memory_ref: artifactOf(memory_ref) } : { memory: address };
  return {
    kind: 'memory',
    citation: jsonLine({ ...named, entry_id, entry_version_id }),
    text,
    origin: { scopeId, artifact: memory_ref, entry: { entry_id, entry_version_id } },
  };
}

/** The head of an Experience of a Scope in reach of `currentScopeId`; undefined where it has nothing to say. */
export function experienceCandidate(
  currentScopeId: string,
  scopeId: string,
  { artifact_id, revision, content }: Omit<ExperienceHit, 'score'>,
): Candidate | undefined {
  const { situation, action, outcome, lesson } = content;
  if (isBlank(situation + action + outcome + lesson)) return undefined;
  const artifact = { family: 'experience', artifact_id, revision };
  const named =
    scopeId === currentScopeId ? { artifact_ref: artifact } : { artifact: { scope_id: scopeId, artifact } };
  return {
    kind: 'experience',
    citation: jsonLine(named),
    text: `Situation: ${situation}\nAction: ${action}\nOutcome: ${outcome}\nLesson: ${lesson}`,
    origin: { scopeId, artifact, entry: null },
  };
}

/** The fields in the order in which they are shown (spec 20 P9). */
function artifactOf({ family, artifact_id, revision }: ArtifactRef): ArtifactRef {
  return { family, artifact_id, revision };
}
