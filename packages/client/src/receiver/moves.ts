import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ActionFailure } from './errors.ts';
import { removeTree, statusOf, syncFolder } from './folders.ts';
import { heldFolderOf, type Receiver } from './receiver.ts';

/**
 * Moves a folder durably to a free path. Throws `ActionFailure` (conflict) if the path exists, because a rename would replace an empty
 * folder.
 */
export async function moveFolder({ lock }: Receiver, from: string, to: string): Promise<void> {
  await lock.requireHeld();
  await requireFree(to);
  await rename(from, to);
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
}

/** Throws `ActionFailure` (conflict) if the path exists, even as a broken link. */
export async function requireFree(path: string): Promise<void> {
  if ((await statusOf(path)) === undefined) return;
  throw new ActionFailure(
    'conflict',
    `${path} exists, and this Receiver did not install it. Move or remove it.`,
  );
}

/** Removes a folder in staging or quarantine, if it exists. */
export async function removeHeld(receiver: Receiver, name: string): Promise<void> {
  await receiver.lock.requireHeld();
  await removeTree(heldFolderOf(receiver, name));
}
