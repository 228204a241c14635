import { randomBytes } from 'node:crypto';
import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import { moveFolder, removeHeld } from './moves.ts';
import { requireDigest } from './ownership.ts';
import { heldFolderOf, type Receiver, skillFolderOf } from './receiver.ts';
import type { Checkpoint, Journal } from './state.ts';

// Steps that actions and their recovery share.

/** The journal of an action. Its folder names are random, so that no earlier action has used them. */
export function newJournal(
  receiver: Receiver,
  action: RemoteSkillAction,
  previous: Checkpoint | undefined,
): Journal {
  return {
    schema: 'service.remote-skill-pending-action.v1',
    target_id: receiver.targetId,
    action,
    staging_name: `staging-${randomBytes(8).toString('hex')}`,
    quarantine_name: `quarantine-${randomBytes(8).toString('hex')}`,
    previous: previous ?? null,
  };
}

/** The checkpoint of a finished install. */
export function checkpointOf(
  { targetId }: Pick<Receiver, 'targetId'>,
  { artifact, tree_digest, skill_name, generation }: RemoteSkillAction,
): Checkpoint {
  return {
    schema: 'service.remote-skill-checkpoint.v1',
    target_id: targetId,
    artifact,
    tree_digest,
    skill_name,
    applied_generation: generation,
  };
}

/** Moves an installed package into quarantine. Throws `ActionFailure` (drifted) if somebody has changed it. */
export async function quarantine(receiver: Receiver, name: string, checkpoint: Checkpoint): Promise<void> {
  const place = skillFolderOf(receiver, checkpoint.skill_name);
  const held = heldFolderOf(receiver, name);
  await moveFolder(receiver, place, held);
  await requireDigest(held, checkpoint.tree_digest, place);
}

/** The last steps of each action: removes the quarantine, then the journal. */
export async function endAction(receiver: Receiver, { action, quarantine_name }: Journal): Promise<void> {
  await removeHeld(receiver, quarantine_name);
  await receiver.journals.remove(action.artifact.artifact_id);
}
