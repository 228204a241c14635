import type { AgentKind } from '@continuity/skill-packages/export';
import { makePrivateFolder, type ReceiverConfig, readReceiverConfig } from './config.ts';
import { ReceiverError } from './errors.ts';
import type { Folder } from './folder.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { KnownDigest } from './package-tree.ts';
import { connectService, type Service } from './service.ts';
import {
  type Checkpoint,
  checkpoint,
  type Journal,
  journal,
  openStateFiles,
  type StateFiles,
  stateKeyOf,
} from './state.ts';
import {
  agentFilesOf,
  pathOf,
  privateNames,
  type TargetLayout,
  targetLayoutOf,
  Workspace,
} from './workspace.ts';

/** The project and the agent that a Receiver is bound to. */
export interface Project {
  /** Folder of the workspace. */
  project: string;
  agent: AgentKind;
}

/** A project of which this process holds the lock. */
export interface LockedProject {
  workspace: Workspace;
  agent: AgentKind;
  lock: Lock;
}

/** The Receiver of one project and agent, while this process holds their lock. */
export interface Receiver extends LockedProject {
  targetId: string;
  layout: TargetLayout;
  service: Service;
  checkpoints: StateFiles<Checkpoint>;
  journals: StateFiles<Journal>;
  /** Cached digests, by name of the Skill. */
  digests: Map<string, KnownDigest>;
}

/** Works in a project while this process holds its lock. Throws `ReceiverError` if another process holds it, or another user the project. */
export async function withLockedProject<Result>(
  { project, agent }: Project,
  work: (locked: LockedProject) => Promise<Result>,
): Promise<Result> {
  const workspace = await Workspace.open(project);
  // Open until the lock is released, because the workspace closes its other folders meanwhile.
  let folder: Folder | undefined;
  try {
    await makePrivateFolder(workspace);
    folder = await (await workspace.find(privateNames.slice(0, 1)))?.find(privateNames[1]);
    if (folder === undefined) throw new ReceiverError(`${workspace.path} was changed meanwhile.`);
    const lock = await acquireLock(folder, agentFilesOf(agent).lock);
    try {
      return await work({ workspace, agent, lock });
    } finally {
      await lock.release();
    }
  } finally {
    await folder?.close();
    await workspace.close();
  }
}

/** The Receiver that a configuration describes. */
export function receiverOf(project: LockedProject, config: ReceiverConfig, signal?: AbortSignal): Receiver {
  const { workspace, agent, lock } = project;
  const { server_url, target_id: targetId, credential, allow_insecure_http } = config;
  const layout = targetLayoutOf(agent, targetId);
  const shared = {
    workspace,
    stateKey: stateKeyOf(targetId, credential),
    requireHeld: () => lock.requireHeld(),
  };
  return {
    ...project,
    targetId,
    layout,
    service: connectService({
      agent,
      credential,
      serverUrl: server_url,
      allowInsecureHttp: allow_insecure_http,
      ...(signal !== undefined && { signal }),
    }),
    checkpoints: openStateFiles({
      ...shared,
      names: layout.checkpoints,
      shape: checkpoint,
      artifactIdOf: ({ artifact }) => artifact.artifact_id,
    }),
    journals: openStateFiles({
      ...shared,
      names: layout.journals,
      shape: journal,
      artifactIdOf: ({ action }) => action.artifact.artifact_id,
    }),
    digests: new Map(),
  };
}

/** The configuration of a project; undefined unless it is enrolled. Throws as `readReceiverConfig` does. */
export async function findConfig(
  workspace: Workspace,
  agent: AgentKind,
): Promise<ReceiverConfig | undefined> {
  const folder = await workspace.find(privateNames);
  return folder && (await readReceiverConfig(folder, agentFilesOf(agent).configuration, workspace.path));
}

/** The configuration of an enrolled project. Throws `ReceiverError` without one. */
export async function requireConfig(workspace: Workspace, agent: AgentKind): Promise<ReceiverConfig> {
  const config = await findConfig(workspace, agent);
  if (config !== undefined) return config;
  throw new ReceiverError(`${workspace.path} is not enrolled. Run: continuity receiver enroll --help`);
}

/** The folder that the agent loads a Skill from, for people. */
export function skillPathOf({ workspace, layout }: Receiver, name: string): string {
  return pathOf(workspace, layout.root, name);
}
