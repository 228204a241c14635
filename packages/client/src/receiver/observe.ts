import { maxPublications, type RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { type ActionFailure, UnexpectedEntryError } from './errors.ts';
import { haveFolders, statusOf } from './folders.ts';
import { type KnownDigest, readDigest } from './installed-tree.ts';
import { observationOf } from './ownership.ts';
import { foldersOf, type Receiver, skillFolderOf } from './receiver.ts';
import type { Checkpoint } from './state.ts';

/**
 * What is installed. Drops the checkpoints of folders that do not exist, so that they are installed again. Leaves out the Artifacts with
 * a journal that remains: what is on disk is in between, and their actions are answered with the failure of the recovery.
 */
export async function observe(
  receiver: Receiver,
  checkpoints: readonly Checkpoint[],
  unrecovered: ReadonlyMap<string, ActionFailure> = new Map(),
): Promise<RemoteSkillObservation[]> {
  const isReal = await hasRealRoot(receiver);
  const observations: RemoteSkillObservation[] = [];
  const digests = new Map<string, KnownDigest>();
  for (const checkpoint of checkpoints) {
    const id = checkpoint.artifact.artifact_id;
    if (unrecovered.has(id)) continue;
    const folder = skillFolderOf(receiver, checkpoint.skill_name);
    if (isReal && (await statusOf(folder)) === undefined) {
      await receiver.checkpoints.remove(id);
      continue;
    }
    const found = isReal ? await readDigest(folder, receiver.digests.get(folder)) : undefined;
    if (found !== undefined) digests.set(folder, found);
    observations.push(observationOf(checkpoint, found?.digest ?? null));
  }
  receiver.digests = digests;
  return observations.slice(0, maxPublications);
}

/** False if a link or a file has the place of the root: then nothing below it is what this Receiver installed. */
async function hasRealRoot(receiver: Receiver): Promise<boolean> {
  try {
    await haveFolders(receiver.workspace, foldersOf(receiver).root);
    return true;
  } catch (error) {
    if (error instanceof UnexpectedEntryError) return false;
    throw error;
  }
}
