import { isDeepStrictEqual } from 'node:util';
import type { RemoteSkillAction, RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { ActionFailure } from './errors.ts';
import { digestAt, type Receiver, skillFolderOf } from './receiver.ts';
import type { Checkpoint } from './state.ts';

/** Throws `ActionFailure` (conflict) unless the checkpoint equals what the service expects. */
export function requireExpected(
  checkpoint: Checkpoint | undefined,
  expected: RemoteSkillAction['expected_local'],
): void {
  const found = checkpoint === undefined ? null : observationOf(checkpoint, checkpoint.tree_digest);
  if (isDeepStrictEqual(found, expected)) return;
  throw new ActionFailure('conflict', 'The service expects another version of this Skill on this machine.');
}

/** Throws `ActionFailure` (drifted) unless a folder has the digest. The message names `place`, where a user finds the Skill. */
export async function requireDigest(folder: string, treeDigest: string, place = folder): Promise<void> {
  if ((await digestAt(folder)) === treeDigest) return;
  throw new ActionFailure('drifted', driftMessage(place));
}

/** Message for a folder that somebody changed, with the ways out. */
export function driftMessage(place: string): string {
  return `${place} was changed on this machine. Undo the change, or move the folder away.`;
}

/** Throws `ActionFailure` (drifted) if somebody changed the folder of a checkpoint. */
export async function requireUnchanged(receiver: Receiver, checkpoint: Checkpoint): Promise<void> {
  await requireDigest(skillFolderOf(receiver, checkpoint.skill_name), checkpoint.tree_digest);
}

/** Observation of a checkpoint, for the service. `actual` is the digest of its folder; null if the folder is unreadable. */
export function observationOf(
  { artifact, tree_digest, skill_name, applied_generation }: Checkpoint,
  actual: string | null,
): RemoteSkillObservation {
  return { artifact, tree_digest, actual_tree_digest: actual, skill_name, applied_generation };
}
