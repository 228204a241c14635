import type { AgentKind } from '@continuity/skill-packages/export';
import { z } from 'zod';
import { readLockHolder } from './lock.ts';
import { digestOf } from './package-tree.ts';
import { type Project, type Receiver, receiverOf, requireConfig, skillPathOf } from './receiver.ts';
import type { Checkpoint } from './state.ts';
import { agentFilesOf, privateNames, Workspace } from './workspace.ts';

/** Problem of the last sync, for the status. */
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

/** Records the result of a sync in the state folder of its target. */
export async function writeLastSync(
  { workspace, layout, lock }: Receiver,
  { fault, problems }: Omit<LastSync, 'at'>,
): Promise<void> {
  const folder = await workspace.make(layout.state, 0o700);
  const text = JSON.stringify({ at: new Date().toISOString(), fault, problems });
  await folder.writeDurably(fileName, `${text}\n`, () => lock.requireHeld());
}

/** Undefined before the first sync, and for a damaged file. */
async function readLastSync({ workspace, layout }: Receiver): Promise<LastSync | undefined> {
  const file = await (await workspace.find(layout.state))?.readText(fileName);
  return file === undefined ? undefined : parseLastSync(file.text);
}

function parseLastSync(text: string): LastSync | undefined {
  try {
    return lastSync.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

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
  const workspace = await Workspace.open(project);
  try {
    return await readStatusOf(workspace, agent);
  } finally {
    await workspace.close();
  }
}

async function readStatusOf(workspace: Workspace, agent: AgentKind): Promise<ReceiverStatus> {
  const config = await requireConfig(workspace, agent);
  const receiver = receiverOf({ workspace, agent, lock: noLock }, config);
  const folder = await workspace.find(privateNames);
  const holder = folder && (await readLockHolder(folder, agentFilesOf(agent).lock));
  const skills: InstalledSkill[] = [];
  for (const checkpoint of await receiver.checkpoints.list())
    skills.push(await describe(receiver, checkpoint));
  return {
    target_id: config.target_id,
    server_url: config.server_url,
    workspace: workspace.path,
    running: holder ?? null,
    last_sync: (await readLastSync(receiver)) ?? null,
    skills,
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
  const { artifact_id, revision } = artifact;
  const folder = skillPathOf(receiver, skill_name);
  return {
    skill_name,
    artifact_id,
    revision,
    folder,
    state: await stateOf(receiver, skill_name, tree_digest),
  };
}

async function stateOf(
  { workspace, layout }: Receiver,
  name: string,
  treeDigest: string,
): Promise<InstalledSkill['state']> {
  const root = await workspace.findOwn(layout.root);
  if ((await root?.statusOf(name)) === undefined) return 'missing';
  return (await digestOf(root, name)) === treeDigest ? 'installed' : 'changed';
}
