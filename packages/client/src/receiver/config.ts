import { hex64 } from '@continuity/contract/notation';
import { targetId } from '@continuity/contract/remote-skills';
import { agentKind } from '@continuity/contract/skills';
import { z } from 'zod';
import { ReceiverError } from './errors.ts';
import type { Folder } from './folder.ts';
import type { Lock } from './lock.ts';
import { privateNames, type Workspace } from './workspace.ts';

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
 * Reads a configuration of the private folder; undefined without one. Throws `ReceiverError` for a file that others can read, that is
 * damaged, or that was copied from another workspace.
 */
export async function readReceiverConfig(
  folder: Folder,
  name: string,
  workspace: string,
): Promise<ReceiverConfig | undefined> {
  const file = await folder.readText(name);
  if (file === undefined) return undefined;
  const path = `${folder.path}/${name}`;
  if (process.platform !== 'win32' && (file.status.mode & 0o077) !== 0) {
    throw new ReceiverError(
      `Other users can read ${path}, which holds a credential. Revoke the target, remove the file, and enroll anew.`,
    );
  }
  const config = parseConfig(file.text);
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

export async function writeReceiverConfig(
  folder: Folder,
  name: string,
  config: ReceiverConfig,
  lock: Lock,
): Promise<void> {
  await folder.writeDurably(name, `${JSON.stringify(config, null, 2)}\n`, () => lock.requireHeld());
}

/** Makes the folder of the private state, which git ignores and only its owner can read. */
export async function makePrivateFolder(workspace: Workspace): Promise<Folder> {
  const folder = await workspace.make(privateNames, 0o700);
  const [name] = privateNames;
  const outer = await workspace.make([name], 0o700);
  for (const one of [outer, folder]) await one.chmod(0o700);
  const everything = '*\n';
  if ((await outer.readText('.gitignore'))?.text !== everything) {
    await outer.writeDurably('.gitignore', everything, async () => {});
  }
  return folder;
}

function parseConfig(text: string): ReceiverConfig | undefined {
  try {
    return receiverConfig.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
