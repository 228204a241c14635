import { isDeepStrictEqual } from 'node:util';
import { checkpointOf, endAction, moveIn, removeHeld } from './actions.ts';
import { type ActionFailure, ReceiverError, toActionFailure } from './errors.ts';
import { digestOf } from './package-tree.ts';
import type { Receiver } from './receiver.ts';
import type { Journal } from './state.ts';
import { agentFilesOf, privateNames } from './workspace.ts';

/**
 * Ends or undoes each action that was interrupted (spec 40 §10, Sync 1), and removes staging that no journal names. Returns the
 * failures of the journals that remain, by artifact id.
 */
export async function recoverAll(receiver: Receiver): Promise<Map<string, ActionFailure>> {
  const failures = new Map<string, ActionFailure>();
  for (const journal of await receiver.journals.list()) {
    try {
      await recoverJournal(receiver, journal);
    } catch (error) {
      failures.set(journal.action.artifact.artifact_id, toActionFailure(error));
    }
  }
  await removeLeftovers(receiver);
  return failures;
}

/** Recovers all actions. Throws `ReceiverError` if a journal remains. */
export async function requireRecovered(receiver: Receiver): Promise<void> {
  const [failure] = (await recoverAll(receiver)).values();
  if (failure !== undefined) throw new ReceiverError(failure.message);
}

/**
 * Ends or undoes the action of one journal. If a folder cannot return to its old place, keeps everything and throws `ActionFailure`
 * (conflict).
 */
export async function recoverJournal(receiver: Receiver, journal: Journal): Promise<void> {
  // Throws if one of the folders is a link, so that nothing is moved through it.
  await receiver.workspace.find(receiver.layout.root);
  await receiver.workspace.find(receiver.layout.holding);
  if (journal.action.operation === 'install') await recoverInstall(receiver, journal);
  else await recoverUnpublish(receiver, journal);
}

async function recoverInstall(receiver: Receiver, journal: Journal): Promise<void> {
  const { action, staging_name: staging, quarantine_name: quarantine } = journal;
  const installed = checkpointOf(receiver, action);
  const isWritten = isDeepStrictEqual(
    await receiver.checkpoints.read(action.artifact.artifact_id),
    installed,
  );
  if (isWritten || !(await isHeld(receiver, staging))) {
    if (!isWritten) await receiver.checkpoints.write(installed);
    await endAction(receiver, journal);
    return;
  }
  if (await isHeld(receiver, quarantine)) await moveBack(receiver, journal);
  // The journal first, because a journal without staging means that the swap was done.
  await receiver.journals.remove(action.artifact.artifact_id);
  await removeHeld(receiver, staging);
}

async function recoverUnpublish(receiver: Receiver, journal: Journal): Promise<void> {
  const { action, quarantine_name: quarantine, previous } = journal;
  const id = action.artifact.artifact_id;
  if ((await receiver.checkpoints.read(id)) === undefined) {
    await endAction(receiver, journal);
    return;
  }
  if (await isHeld(receiver, quarantine)) {
    const holding = await receiver.workspace.find(receiver.layout.holding);
    if ((await digestOf(holding, quarantine)) === previous?.tree_digest) {
      await receiver.checkpoints.remove(id);
      await endAction(receiver, journal);
      return;
    }
    await moveBack(receiver, journal);
  }
  await receiver.journals.remove(id);
}

async function moveBack(receiver: Receiver, { action, quarantine_name, previous }: Journal): Promise<void> {
  await moveIn(receiver, quarantine_name, previous?.skill_name ?? action.skill_name);
}

async function isHeld({ workspace, layout }: Receiver, name: string): Promise<boolean> {
  return (await (await workspace.find(layout.holding))?.statusOf(name)) !== undefined;
}

/** Removes temporary files of killed processes, and staging that no journal names. */
async function removeLeftovers(receiver: Receiver): Promise<void> {
  const { workspace, agent, layout } = receiver;
  const { state, checkpoints, journals, holding } = layout;
  for (const names of [state, checkpoints, journals]) {
    await (await workspace.findOwn(names))?.removeTemporaryFiles();
  }
  // All agents share this folder, and a process of another one may be writing its configuration.
  const shared = await workspace.findOwn(privateNames);
  await shared?.removeTemporaryFiles(`${agentFilesOf(agent).configuration}.`);
  const held = await workspace.findOwn(holding);
  if (held === undefined) return;
  const named = new Set((await receiver.journals.list()).map(({ staging_name }) => staging_name));
  for (const name of await held.list()) {
    if (name.startsWith('staging-') && !named.has(name)) await removeHeld(receiver, name);
  }
  await removeHolding(receiver);
}

/** Removes the folders for staging and quarantine if they are empty. */
export async function removeHolding({ workspace, layout: { holding } }: Receiver): Promise<void> {
  await workspace.removeIfEmpty(holding);
  await workspace.removeIfEmpty(holding.slice(0, 2));
}
