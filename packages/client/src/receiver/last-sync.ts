import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';
import { ignore, makeFolders } from './folders.ts';
import type { Receiver } from './receiver.ts';

const problem = z.object({
  skill_name: z.string(),
  artifact_id: z.string(),
  state: z.enum(['delivery_failed', 'conflict', 'drifted', 'incompatible']),
  folder: z.string(),
  message: z.string(),
});

const lastSync = z.object({
  at: z.string(),
  /** Error message of a sync that failed as a whole; null otherwise. */
  fault: z.string().nullable(),
  problems: z.array(problem),
});

/** Result of the last sync, for the status. */
export type LastSync = z.infer<typeof lastSync>;

const fileName = 'last-sync.json';

export async function writeLastSync(
  { workspace, folders, lock }: Receiver,
  { fault, problems }: Omit<LastSync, 'at'>,
): Promise<void> {
  const folder = await makeFolders(workspace, folders.state, 0o700);
  const text = JSON.stringify({ at: new Date().toISOString(), fault, problems });
  await writeDurably(join(folder, fileName), `${text}\n`, () => lock.requireHeld());
}

/** Undefined before the first sync. */
export async function readLastSync({ workspace, folders }: Receiver): Promise<LastSync | undefined> {
  const path = join(workspace, ...folders.state, fileName);
  const text = await readFile(path, 'utf8').catch(ignore('ENOENT'));
  return text === undefined ? undefined : lastSync.parse(JSON.parse(text));
}
