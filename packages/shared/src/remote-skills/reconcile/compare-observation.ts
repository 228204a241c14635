import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import type { ReconciledRow } from './read-rows.ts';

/** Why an observed checkpoint is not valid (spec 40 §9). */
type CheckpointFault =
  | 'invalid_checkpoint_identity'
  | 'unknown_checkpoint_package'
  | 'invalid_checkpoint_digest'
  | 'invalid_checkpoint_generation';

/**
 * An observation, compared with the publication of its Skill.
 * - `match`: the desired revision is installed.
 * - `other`: another approved revision is installed.
 * - `drift`: somebody changed the installed folder.
 * - `bad`: the checkpoint is not valid.
 */
export type Comparison =
  | { kind: 'none' }
  | { kind: 'match' | 'other'; observation: RemoteSkillObservation }
  | { kind: 'drift' }
  | { kind: 'bad'; fault: CheckpointFault };

/** Compares an observation with the exact approved revision (spec 40 §9, reconcile rule 2). */
export function compareObservation(
  row: ReconciledRow,
  observation: RemoteSkillObservation | undefined,
): Comparison {
  if (observation === undefined) return { kind: 'none' };
  const fault = faultOf(row, observation);
  if (fault !== undefined) return { kind: 'bad', fault };
  if (observation.actual_tree_digest !== observation.tree_digest) return { kind: 'drift' };
  const isDesired = observation.artifact.revision === row.desired_revision;
  return { kind: isDesired ? 'match' : 'other', observation };
}

function faultOf(
  row: ReconciledRow,
  { artifact, tree_digest, skill_name, applied_generation }: RemoteSkillObservation,
): CheckpointFault | undefined {
  if (artifact.family !== 'skill') return 'invalid_checkpoint_identity';
  const approved = approvedFacts(row, artifact.revision);
  if (approved === undefined) return 'unknown_checkpoint_package';
  if (approved.treeDigest !== tree_digest || approved.name !== skill_name) return 'invalid_checkpoint_digest';
  return applied_generation > row.generation ? 'invalid_checkpoint_generation' : undefined;
}

/** Name and digest of the observed revision; undefined for one that does not exist. */
function approvedFacts(row: ReconciledRow, revision: number) {
  if (revision === row.desired_revision)
    return { name: row.desired_name, treeDigest: row.desired_tree_digest };
  if (row.seen_name === null || row.seen_tree_digest === null) return undefined;
  return { name: row.seen_name, treeDigest: row.seen_tree_digest };
}
