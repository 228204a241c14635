import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { Command } from 'commander';
import { familyNames } from '../generated/operations.ts';
import { UsageError } from './errors.ts';

const artifactRefPattern = new RegExp(`^(${familyNames.join('|')})/(.+)@([1-9]\\d{0,8})$`, 's');

/** `name/id` of a Source. The id may hold slashes. */
export function toSourceRef(text: string): SourceRef {
  const match = /^([^/]+)\/(.+)$/s.exec(text);
  if (match === null)
    throw new UsageError(`${JSON.stringify(text)} names no Source. Write name/id, such as content/task-1.`);
  const [, name = '', source_id = ''] = match;
  return { name, source_id };
}

/** `family/id@revision` of an Artifact. */
export function toArtifactRef(text: string): ArtifactRef {
  const match = artifactRefPattern.exec(text);
  if (match === null) {
    throw new UsageError(
      `${JSON.stringify(text)} names no revision. Write family/id@revision, such as skill/01a0…@2.`,
    );
  }
  const [, family, artifact_id = '', revision] = match;
  return { family: family as ArtifactRef['family'], artifact_id, revision: Number(revision) };
}

/** Whether a text names a revision of an Artifact, as lists print it. */
export function isArtifactRef(text: string): boolean {
  return artifactRefPattern.test(text);
}

/** The id of an Artifact: that of a reference as lists print it, or the text itself. */
export function toArtifactId(text: string): string {
  return isArtifactRef(text) ? toArtifactRef(text).artifact_id : text;
}

export function fromArtifactRef({ family, artifact_id, revision }: ArtifactRef): string {
  return `${family}/${artifact_id}@${revision}`;
}

/** A whole number of at least `min`. `option` names it in the error, `hint` says where to find it. */
export function toNumber(
  text: string,
  { option, hint, min }: { option: string; hint: string; min: 0 | 1 },
): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < min) throw new UsageError(`${option} is ${hint}.`);
  return Number(text);
}

export interface EvidenceOptions {
  source?: string[];
  artifact?: string[];
  target?: string;
  reason?: string;
}

export interface Evidence {
  source_refs: SourceRef[];
  artifact_refs: ArtifactRef[];
  target?: ArtifactRef;
  reason?: string;
}

/** Options that name the evidence of a Candidate. */
export function addEvidenceOptions(command: Command): Command {
  return command
    .option('--source <name/id...>', 'Sources that prove it')
    .option('--artifact <family/id@revision...>', 'Artifact revisions that prove it')
    .option('--target <family/id@revision>', 'the head that it replaces')
    .option('--reason <text>', 'a note for reviewers');
}

/** A target is evidence too (spec 40 §1.1). */
export function toEvidence({ source = [], artifact = [], target, reason }: EvidenceOptions): Evidence {
  const named = target === undefined || artifact.includes(target) ? artifact : [...artifact, target];
  return {
    source_refs: source.map(toSourceRef),
    artifact_refs: named.map(toArtifactRef),
    ...(target !== undefined && { target: toArtifactRef(target) }),
    ...(reason !== undefined && { reason }),
  };
}
