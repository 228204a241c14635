import type { ArtifactRef, SourceRef } from '@continuity/contract';
import type { Command } from 'commander';
import { toArtifactRef, toSourceRef } from '../references.ts';

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
