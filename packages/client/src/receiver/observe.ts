import { maxPublications, type RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { type ActionFailure, UnexpectedEntryError } from './errors.ts';
import { haveFolders, statusOf } from './folders.ts';
import { type KnownDigest, readDigest } from './installed-tree.ts';
import { observationOf } from './ownership.ts';
import { type Receiver, skillFolderOf } from './receiver.ts';
import type { Checkpoint } from './state.ts';

/**
 * Compares each checkpoint with the disk, for the service. Removes the checkpoints of missing folders, so that the service sends these
 * Skills again. Omits Artifacts whose recovery failed: their folders are neither old nor new.
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

/** Whether the root is a real folder, or missing. Nothing below a link was installed by this Receiver. */
async function hasRealRoot(receiver: Receiver): Promise<boolean> {
  try {
    await haveFolders(receiver.workspace, receiver.folders.root);
    return true;
  } catch (error) {
    if (error instanceof UnexpectedEntryError) return false;
    throw error;
  }
}
