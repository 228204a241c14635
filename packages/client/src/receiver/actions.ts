import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RemoteSkillAction, RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { ActionFailure } from './errors.ts';
import type { Folder } from './folder.ts';
import { digestOf } from './package-tree.ts';
import { type Receiver, skillPathOf } from './receiver.ts';
import type { Checkpoint, Journal } from './state.ts';

// Steps and rules that install, unpublish and their recovery share.

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

/** Observation of a checkpoint, for the service. `actual` is the digest of its folder; null if the folder is unreadable. */
export function observationOf(
  { artifact, tree_digest, skill_name, applied_generation }: Checkpoint,
  actual: string | null,
): RemoteSkillObservation {
  return { artifact, tree_digest, actual_tree_digest: actual, skill_name, applied_generation };
}

/** Throws `ActionFailure` (conflict) unless the checkpoint equals what the service expects. */
export function requireExpected(
  checkpoint: Checkpoint | undefined,
  expected: RemoteSkillAction['expected_local'],
): void {
  const found = checkpoint === undefined ? null : observationOf(checkpoint, checkpoint.tree_digest);
  if (isDeepStrictEqual(found, expected)) return;
  throw new ActionFailure('conflict', 'The service expects another version of this Skill on this machine.');
}

/** Throws `ActionFailure` (drifted) if somebody changed the folder of a checkpoint. */
export async function requireUnchanged(
  receiver: Receiver,
  { skill_name, tree_digest }: Pick<Checkpoint, 'skill_name' | 'tree_digest'>,
): Promise<void> {
  if ((await installedDigest(receiver, skill_name)) === tree_digest) return;
  throw new ActionFailure('drifted', driftMessage(skillPathOf(receiver, skill_name)));
}

/** The current digest of the folder of a Skill; null if it is missing, unreadable or no package. */
export async function installedDigest({ workspace, layout }: Receiver, name: string): Promise<string | null> {
  return await digestOf(await workspace.find(layout.root), name);
}

/** Message for a folder that somebody changed, with the ways out. */
export function driftMessage(place: string): string {
  return `${place} was changed on this machine. Undo the change, or move the folder away.`;
}

/** Throws `ActionFailure` (conflict) if the folder of a Skill exists, even as a broken link. */
export async function requireFree(receiver: Receiver, name: string): Promise<void> {
  const root = await receiver.workspace.find(receiver.layout.root);
  if ((await root?.statusOf(name)) === undefined) return;
  const place = skillPathOf(receiver, name);
  throw new ActionFailure(
    'conflict',
    `${place} exists, and this Receiver did not install it. Move or remove it.`,
  );
}

/** Moves a package from staging or quarantine to where the agent loads it, durably. Throws `ActionFailure` (conflict) if that is taken. */
export async function moveIn(receiver: Receiver, heldName: string, name: string): Promise<void> {
  await receiver.lock.requireHeld();
  const [root, holding] = await makeBoth(receiver);
  // A rename would replace an empty folder.
  await requireFree(receiver, name);
  await move(holding, heldName, root, name);
}

/** Moves an installed package into quarantine. Throws `ActionFailure` (drifted) if somebody has changed it. */
export async function quarantine(
  receiver: Receiver,
  heldName: string,
  { skill_name, tree_digest }: Checkpoint,
): Promise<void> {
  await receiver.lock.requireHeld();
  const [root, holding] = await makeBoth(receiver);
  await move(root, skill_name, holding, heldName);
  if ((await digestOf(holding, heldName)) === tree_digest) return;
  throw new ActionFailure('drifted', driftMessage(skillPathOf(receiver, skill_name)));
}

async function makeBoth({ workspace, layout }: Receiver): Promise<[Folder, Folder]> {
  return [await workspace.make(layout.root), await workspace.make(layout.holding)];
}

async function move(from: Folder, name: string, to: Folder, toName: string): Promise<void> {
  await from.rename(name, to, toName);
  await to.sync();
  await from.sync();
}

/** Removes a folder in staging or quarantine, if it exists. */
export async function removeHeld({ lock, workspace, layout }: Receiver, name: string): Promise<void> {
  await lock.requireHeld();
  await (await workspace.find(layout.holding))?.removeTree(name);
}

/** The last steps of each action: removes the quarantine, then the journal. */
export async function endAction(receiver: Receiver, { action, quarantine_name }: Journal): Promise<void> {
  await removeHeld(receiver, quarantine_name);
  await receiver.journals.remove(action.artifact.artifact_id);
}
