import { statusOf } from './folders.ts';
import { readDigest } from './installed-tree.ts';
import { type LastSync, readLastSync } from './last-sync.ts';
import { agentFilesOf } from './layout.ts';
import { readLockHolder } from './lock.ts';
import { findWorkspace, type Project, receiverOf, requireConfig } from './open-project.ts';
import { type Receiver, skillFolderOf } from './receiver.ts';
import type { Checkpoint } from './state.ts';

/** An installed Skill: as this Receiver installed it, changed since, or removed by somebody else. */
export interface InstalledSkill {
  skill_name: string;
  artifact_id: string;
  revision: number;
  folder: string;
  state: 'installed' | 'changed' | 'missing';
}

export interface ReceiverStatus {
  target_id: string;
  server_url: string;
  workspace: string;
  /** The process that works in this project; null if none does. */
  running: string | null;
  last_sync: LastSync | null;
  skills: InstalledSkill[];
}

/** Reads the installed Skills and the problems of the last sync. Changes nothing, so a Receiver can run meanwhile. */
export async function readStatus({ project, agent }: Project): Promise<ReceiverStatus> {
  const workspace = await findWorkspace(project);
  const files = agentFilesOf(workspace, agent);
  const config = await requireConfig(files, workspace);
  const receiver = receiverOf({ workspace, agent, files, lock: noLock }, config);
  const checkpoints = await receiver.checkpoints.list();
  return {
    target_id: config.target_id,
    server_url: config.server_url,
    workspace,
    running: (await readLockHolder(files.lock)) ?? null,
    last_sync: (await readLastSync(receiver)) ?? null,
    skills: await Promise.all(checkpoints.map((checkpoint) => describe(receiver, checkpoint))),
  };
}

const noLock = {
  requireHeld: () => Promise.reject(new TypeError('The status changes nothing.')),
  release: () => Promise.resolve(),
};

async function describe(
  receiver: Receiver,
  { skill_name, artifact, tree_digest }: Checkpoint,
): Promise<InstalledSkill> {
  const folder = skillFolderOf(receiver, skill_name);
  const { artifact_id, revision } = artifact;
  return { skill_name, artifact_id, revision, folder, state: await stateOf(folder, tree_digest) };
}

async function stateOf(folder: string, treeDigest: string): Promise<InstalledSkill['state']> {
  if ((await statusOf(folder)) === undefined) return 'missing';
  return (await readDigest(folder)).digest === treeDigest ? 'installed' : 'changed';
}
