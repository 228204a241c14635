import { type ArtifactRef, isBlank } from '@continuity/contract';
import { jsonLine } from '@continuity/contract/untrusted-text';
import { encodeShortId, presentArtifactRef } from '../evidence/index.ts';
import type { ExperienceHit } from '../experience/index.ts';
import { entryShortId, type VersionedHit } from '../memory/index.ts';

/** The source of an item: a Memory entry version, or the revision of an Experience if `entry` is null. */
export interface Origin {
  scopeId: string;
  artifact: ArtifactRef;
  entry: { entry_id: string; entry_version_id: string } | null;
}

/** A hit of a search in one of the Scopes of a context, which can become an item. */
export interface ContextHit {
  kind: 'memory' | 'experience';
  /** The citation as JSON; it identifies the hit. */
  citation: string;
  /** The id of the same version in the compact format. */
  shortId: string;
  /** When the version was written. */
  writtenAt: Date;
  /** When its evidence was first said, as far as that is known. */
  saidAt?: Date;
  /** Whole, of any length. */
  text: string;
  /** When a Memory entry holds: the fields that have a value. */
  validity?: { valid_from?: string | undefined; valid_until?: string | undefined };
  origin: Origin;
}

/** The hit of a Memory entry; undefined for a blank one. An entry of another Scope is cited with its Scope. */
export function toMemoryHit(
  currentScopeId: string,
  scopeId: string,
  hit: Pick<VersionedHit, 'citation' | 'version' | 'text' | 'valid_from' | 'valid_until'>,
): ContextHit | undefined {
  const { citation, version, text, valid_from, valid_until } = hit;
  if (isBlank(text)) return undefined;
  const { memory_ref, entry_id, entry_version_id } = citation;
  // The rendered citation has the fields in the order of the contract (spec 20 P9).
  const artifact = presentArtifactRef(memory_ref);
  const cited =
    scopeId === currentScopeId ? { memory_ref: artifact } : { memory: { scope_id: scopeId, artifact } };
  return {
    kind: 'memory',
    citation: jsonLine({ ...cited, entry_id, entry_version_id }),
    shortId: entryShortId(artifact.artifact_id, entry_id, version),
    writtenAt: timeOf(entry_version_id),
    text,
    validity: { valid_from, valid_until },
    origin: { scopeId, artifact, entry: { entry_id, entry_version_id } },
  };
}

/** The hit of the head of an Experience; undefined for a blank one. One of another Scope is cited with its Scope. */
export function toExperienceHit(
  currentScopeId: string,
  scopeId: string,
  { artifact_id, revision, content, created_at }: Omit<ExperienceHit, 'score'>,
): ContextHit | undefined {
  const { situation, action, outcome, lesson } = content;
  if (isBlank(situation + action + outcome + lesson)) return undefined;
  const artifact = { family: 'experience', artifact_id, revision };
  const cited =
    scopeId === currentScopeId ? { artifact_ref: artifact } : { artifact: { scope_id: scopeId, artifact } };
  return {
    kind: 'experience',
    citation: jsonLine(cited),
    shortId: encodeShortId({ id: artifact_id, number: revision }),
    writtenAt: created_at,
    text: `Situation: ${situation}\nAction: ${action}\nOutcome: ${outcome}\nLesson: ${lesson}`,
    origin: { scopeId, artifact, entry: null },
  };
}

/** The time in a UUIDv7 (RFC 9562 §5.7). An entry version gets its id when its revision is written. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
