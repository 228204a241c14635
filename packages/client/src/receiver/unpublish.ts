import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import { endAction, newJournal, quarantine } from './action-steps.ts';
import { ActionFailure } from './errors.ts';
import { haveFolders, makeFolders } from './folders.ts';
import { requireExpected, requireUnchanged } from './ownership.ts';
import { digestAt, type Receiver, skillFolderOf } from './receiver.ts';
import { recoverJournal } from './recover.ts';

/**
 * Removes a Skill that this Receiver installed and nobody changed (spec 40 §10, Sync 6). Folders of others stay. Returns whether it
 * removed one. Throws as `install` does.
 */
export async function unpublish(receiver: Receiver, action: RemoteSkillAction): Promise<boolean> {
  const previous = await receiver.checkpoints.read(action.artifact.artifact_id);
  // Throws if one of the folders is a link.
  await haveFolders(receiver.workspace, receiver.folders.root);
  requireExpected(previous, action.expected_local);
  if (previous === undefined) {
    await requireOther(receiver, action);
    return false;
  }
  await requireUnchanged(receiver, previous);
  await makeFolders(receiver.workspace, receiver.folders.holding);
  const journal = newJournal(receiver, action, previous);
  await receiver.journals.write(journal);
  try {
    await quarantine(receiver, journal.quarantine_name, previous);
    await receiver.checkpoints.remove(action.artifact.artifact_id);
    await endAction(receiver, journal);
    return true;
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
  const folder = skillFolderOf(receiver, skill_name);
  if ((await digestAt(folder)) !== tree_digest) return;
  throw new ActionFailure(
    'conflict',
    `${folder} holds the package to remove, and this Receiver did not install it. Remove it yourself.`,
  );
}
