import type { ArtifactRef } from '@continuity/contract';
import type { LifecycleState, SkillGovernance } from '@continuity/contract/skills';
import { evidenceOf } from '../../documents/index.ts';
import type { LibraryRow } from './list-skills.ts';

/** A Skill's lifecycle as its row holds it. */
export interface LifecycleRow {
  lifecycle_state: string;
  replacement_artifact_id: string | null;
  governance_generation: number;
}

/** Presents the lifecycle of the Skill with this head. */
export function presentGovernance(artifact: ArtifactRef, row: LifecycleRow): SkillGovernance {
  return {
    artifact,
    lifecycle_state: row.lifecycle_state as LifecycleState,
    replacement_artifact_id: row.replacement_artifact_id,
    governance_generation: row.governance_generation,
  };
}

/** Serializes the library. Inserts each stored content as text: 200 of them have up to 26 MB. */
export function writeLibrary(rows: readonly LibraryRow[]): { body: Buffer; headers: Record<string, string> } {
  return {
    body: Buffer.from(`{"skills":[${rows.map(writeSkill).join(',')}]}`),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

function writeSkill({ artifact_id, revision, content, ...row }: LibraryRow): string {
  const artifact = { family: 'skill', artifact_id, revision };
  const rest = { ...evidenceOf(row), governance: presentGovernance(artifact, row) };
  return `{"artifact":${JSON.stringify(artifact)},"content":${content},${JSON.stringify(rest).slice(1)}`;
}
