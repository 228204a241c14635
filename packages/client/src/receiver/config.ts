import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hex64 } from '@continuity/contract/notation';
import { targetId } from '@continuity/contract/remote-skills';
import { agentKind } from '@continuity/contract/skills';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';
import { ReceiverError } from './errors.ts';
import { ignore, makeFolders } from './folders.ts';
import { privateNames } from './layout.ts';
import type { Lock } from './lock.ts';

const receiverConfig = z.strictObject({
  schema: z.literal('service.remote-skill-receiver-config.v1'),
  server_url: z.string(),
  target_id: targetId,
  credential: z.string(),
  agent_kind: agentKind,
  /** Real path. */
  workspace: z.string(),
  receiver_version: z.string(),
  environment_fingerprint: hex64,
  allow_insecure_http: z.boolean(),
});

/** Configuration of an enrolled Receiver. It holds the credential. */
export type ReceiverConfig = z.infer<typeof receiverConfig>;

/**
 * Reads a configuration; undefined without one. Throws `ReceiverError` for a file that others can read, that is damaged, or that was
 * copied from another workspace.
 */
export async function readReceiverConfig(
  path: string,
  workspace: string,
): Promise<ReceiverConfig | undefined> {
  const text = await readFile(path, 'utf8').catch(ignore('ENOENT'));
  if (text === undefined) return undefined;
  if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
    throw new ReceiverError(
      `Other users can read ${path}, which holds a credential. Revoke the target, remove the file, and enroll anew.`,
    );
  }
  const config = parseConfig(text);
  if (config === undefined) {
    throw new ReceiverError(`${path} is damaged. Remove it, revoke the target, and enroll anew.`);
  }
  if (config.workspace !== workspace) {
    throw new ReceiverError(
      `${path} belongs to ${config.workspace}. Move the project back there, or remove the file and enroll anew.`,
    );
  }
  return config;
}

export async function writeReceiverConfig(path: string, config: ReceiverConfig, lock: Lock): Promise<void> {
  await writeDurably(path, `${JSON.stringify(config, null, 2)}\n`, () => lock.requireHeld());
}

/** Makes the folder of the private state, which git ignores and only its owner can read. */
export async function makePrivateFolder(workspace: string): Promise<void> {
  await makeFolders(workspace, privateNames, 0o700);
  const [name] = privateNames;
  const folder = join(workspace, name);
  await chmod(folder, 0o700);
  await chmod(join(workspace, ...privateNames), 0o700);
  const ignoreFile = join(folder, '.gitignore');
  const everything = '*\n';
  if ((await readFile(ignoreFile, 'utf8').catch(ignore('ENOENT'))) === everything) return;
  await writeDurably(ignoreFile, everything, async () => {});
}

function parseConfig(text: string): ReceiverConfig | undefined {
  try {
    return receiverConfig.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
