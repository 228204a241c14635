import type { ArtifactRef, Citation } from '@continuity/contract';
import { cite, handoffRef, stated } from '../handoff.ts';
import type { Names } from '../planted.ts';

type Evidence = Pick<
  Names,
  | 'source_id'
  | 'receipt_id'
  | 'citation'
  | 'artifact_id'
  | 'experience_id'
  | 'skill_id'
  | 'source_type'
  | 'observed_id'
>;

/** Every Citation that the names allow. */
export function evidenceOf(names: Evidence): Citation[] {
  const { source_id, receipt_id, citation, artifact_id, experience_id, skill_id, ...observed } = names;
  return [
    { kind: 'source', source_ref: { name: observed.source_type, source_id: observed.observed_id } },
    cite(source_id),
    cite(receipt_id),
    { kind: 'memory', memory_citation: citation },
    { kind: 'artifact', artifact_ref: { family: 'memory', artifact_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: { family: 'experience', artifact_id: experience_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: { family: 'skill', artifact_id: skill_id, revision: 1 } },
    { kind: 'artifact', artifact_ref: handoffRef(1) },
  ];
}

/** The same as references of a Candidate, which cites no entry. */
export function referencesOf(names: Evidence) {
  const cited = evidenceOf(names);
  return {
    source_refs: cited.flatMap((one) => (one.kind === 'source' ? [one.source_ref] : [])),
    artifact_refs: cited.flatMap((one) => (one.kind === 'artifact' ? [one.artifact_ref] : [])),
  };
}

export const citing = (names: Evidence) => stated('Built on what the other has.', ...evidenceOf(names));

export const skillOf = ({ scope_id, skill_id: artifact_id }: Pick<Names, 'scope_id' | 'skill_id'>) => ({
  scope_id,
  artifact: { family: 'skill', artifact_id, revision: 1 },
});

/** A proposal from the Source of the names. */
export const proposed = ({ scope_id, source_id }: Names, proposal: unknown) => ({
  scope_id,
  proposal,
  source_refs: [{ name: 'content', source_id }],
  artifact_refs: [] as ArtifactRef[],
});
