import type { ArtifactRef } from '@continuity/contract';
import type { LifecycleState, SkillGovernance } from '@continuity/contract/skills';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { evidenceOf } from '../../documents/index.ts';
import type { LibraryRow } from './list-skills.ts';

/** A Skill's lifecycle as its row holds it. */
interface LifecycleRow {
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

/** Serializes the library in slices. Inserts each stored content as text: 200 of them have up to 26 MB. */
export async function writeLibrary(
  rows: readonly LibraryRow[],
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  return {
    body: await runInSlices(writeSkills(rows)),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

function* writeSkills(rows: readonly LibraryRow[]): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const row of rows) {
    parts.push(Buffer.from(`${parts.length === 0 ? '' : ','}${writeSkill(row)}`));
    yield;
  }
  return Buffer.concat([Buffer.from('{"skills":['), ...parts, Buffer.from(']}')]);
}

function writeSkill({ artifact_id, revision, content, ...row }: LibraryRow): string {
  const artifact = { family: 'skill', artifact_id, revision };
  const rest = { ...evidenceOf(row), governance: presentGovernance(artifact, row) };
  return `{"artifact":${JSON.stringify(artifact)},"content":${content},${JSON.stringify(rest).slice(1)}`;
}
