import { isDeepStrictEqual } from 'node:util';
import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import type { PackageFile } from '@continuity/skill-packages';
import {
  checkpointOf,
  endAction,
  installedDigest,
  moveIn,
  newJournal,
  quarantine,
  removeHeld,
  requireExpected,
  requireFree,
  requireUnchanged,
} from './actions.ts';
import { ActionFailure, systemCodeOf } from './errors.ts';
import { digestOf, openDownload, writeTree } from './package-tree.ts';
import type { Receiver } from './receiver.ts';
import { recoverJournal } from './recover.ts';
import type { Checkpoint, Journal } from './state.ts';
import { removeInstalled } from './unpublish.ts';

/** Error codes of a file system that does not support a name or a mode of the package. */
const unfitCodes = ['EINVAL', 'EILSEQ', 'ENAMETOOLONG', 'EEXIST', 'ENOTDIR', 'ENOTSUP', 'EPERM'];

/**
 * Installs or updates a Skill (spec 40 §10, Sync 5). Its folder always holds the whole old or the whole new package, except between two
 * renames, when it is missing. Throws `ActionFailure`, and errors of the file system and of the service. After an error, the old package
 * is in its place, or the next recovery moves it back.
 */
export async function install(receiver: Receiver, action: RemoteSkillAction): Promise<void> {
  const previous = await receiver.checkpoints.read(action.artifact.artifact_id);
  if (previous !== undefined && isInstalled(previous, action)) {
    await requireUnchanged(receiver, previous);
    await receiver.checkpoints.write(checkpointOf(receiver, action));
    return;
  }
  await receiver.workspace.make(receiver.layout.root);
  requireExpected(previous, action.expected_local);
  if (previous !== undefined) await requireUnchanged(receiver, previous);
  if (previous?.skill_name !== action.skill_name) {
    if (await adopt(receiver, action, previous)) return;
    await requireFree(receiver, action.skill_name);
  }
  const files = await download(receiver, action);
  const journal = newJournal(receiver, action, previous);
  await stage(receiver, journal, files);
  try {
    await swap(receiver, journal);
  } catch (error) {
    await recoverJournal(receiver, journal);
    throw error;
  }
  await requireUnchanged(receiver, action);
}

function isInstalled({ artifact, tree_digest, skill_name }: Checkpoint, action: RemoteSkillAction): boolean {
  return (
    isDeepStrictEqual(artifact, action.artifact) &&
    tree_digest === action.tree_digest &&
    skill_name === action.skill_name
  );
}

/**
 * Takes over a folder that already holds exactly the wanted package, such as one whose checkpoint was lost or that came with a checkout.
 * Removes the package of `previous`, which has another name. Returns false for any other content, and without a folder.
 */
export async function adopt(
  receiver: Receiver,
  action: RemoteSkillAction,
  previous: Checkpoint | undefined,
): Promise<boolean> {
  if ((await installedDigest(receiver, action.skill_name)) !== action.tree_digest) return false;
  if (previous !== undefined) {
    await removeInstalled(receiver, { ...action, operation: 'unpublish', package: null }, previous);
  }
  await receiver.checkpoints.write(checkpointOf(receiver, action));
  return true;
}

async function download(receiver: Receiver, action: RemoteSkillAction): Promise<PackageFile[]> {
  const { generation, artifact, package: expected } = action;
  if (expected === null)
    throw new ActionFailure('delivery_failed', 'The service names no package to install.');
  const answer = await receiver.service.download({ generation, artifact, package: expected });
  return openDownload(answer, action, receiver.agent);
}

/** Writes the new package beside the root, and then the journal. Leaves nothing if it fails. */
async function stage(receiver: Receiver, journal: Journal, files: readonly PackageFile[]): Promise<void> {
  const { staging_name, action } = journal;
  await receiver.lock.requireHeld();
  const holding = await receiver.workspace.make(receiver.layout.holding);
  try {
    const staging = await holding.make(staging_name);
    try {
      await writeTree(staging, files).catch(refuseUnfit);
    } finally {
      await staging.close();
    }
    if ((await digestOf(holding, staging_name)) !== action.tree_digest) {
      throw new ActionFailure('incompatible', 'This file system changes names or modes of the package.');
    }
    await receiver.journals.write(journal);
  } catch (error) {
    await receiver.journals.remove(action.artifact.artifact_id);
    await removeHeld(receiver, staging_name);
    throw error;
  }
}

function refuseUnfit(error: unknown): never {
  const code = systemCodeOf(error);
  if (code === undefined || !unfitCodes.includes(code)) throw error;
  throw new ActionFailure(
    'incompatible',
    `This file system cannot hold the package: ${(error as Error).message}`,
  );
}

async function swap(receiver: Receiver, journal: Journal): Promise<void> {
  const { action, staging_name, quarantine_name, previous } = journal;
  if (previous !== null) await quarantine(receiver, quarantine_name, previous);
  await moveIn(receiver, staging_name, action.skill_name);
  await receiver.checkpoints.write(checkpointOf(receiver, action));
  await endAction(receiver, journal);
}
