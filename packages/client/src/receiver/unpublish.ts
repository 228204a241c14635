import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import {
  endAction,
  installedDigest,
  newJournal,
  quarantine,
  requireExpected,
  requireUnchanged,
} from './actions.ts';
import { ActionFailure } from './errors.ts';
import { type Receiver, skillPathOf } from './receiver.ts';
import { recoverJournal } from './recover.ts';
import type { Checkpoint } from './state.ts';

/**
 * Removes a Skill that this Receiver installed and nobody changed (spec 40 §10, Sync 6). Folders of others stay. Returns whether it
 * removed one. Throws as `install` does.
 */
export async function unpublish(receiver: Receiver, action: RemoteSkillAction): Promise<boolean> {
  const previous = await receiver.checkpoints.read(action.artifact.artifact_id);
  // Throws if one of the folders is a link.
  await receiver.workspace.find(receiver.layout.root);
  requireExpected(previous, action.expected_local);
  if (previous === undefined) {
    await requireOther(receiver, action);
    return false;
  }
  await requireUnchanged(receiver, previous);
  await removeInstalled(receiver, action, previous);
  return true;
}

/** Removes an installed package and its checkpoint. Throws `ActionFailure` (drifted) if somebody changes it meanwhile. */
export async function removeInstalled(
  receiver: Receiver,
  action: RemoteSkillAction,
  checkpoint: Checkpoint,
): Promise<void> {
  const journal = newJournal(receiver, action, checkpoint);
  await receiver.workspace.make(receiver.layout.holding);
  await receiver.journals.write(journal);
  try {
    await quarantine(receiver, journal.quarantine_name, checkpoint);
    await receiver.checkpoints.remove(action.artifact.artifact_id);
    await endAction(receiver, journal);
  } catch (error) {
    await recoverJournal(receiver, journal);
    throw error;
  }
}

/** Throws if the folder holds this package without a checkpoint: only a person knows who installed it. */
async function requireOther(
  receiver: Receiver,
  { skill_name, tree_digest }: RemoteSkillAction,
): Promise<void> {
  if ((await installedDigest(receiver, skill_name)) !== tree_digest) return;
  throw new ActionFailure(
    'conflict',
    `${skillPathOf(receiver, skill_name)} holds the package to remove, and this Receiver did not install it. Remove it yourself.`,
  );
}
