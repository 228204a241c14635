import { join } from 'node:path';
import type { AgentKind } from '@continuity/skill-packages/export';
import { type KnownDigest, readDigest } from './installed-tree.ts';
import { type TargetFolders, targetFoldersOf } from './layout.ts';
import type { Lock } from './lock.ts';
import type { Service } from './service.ts';
import { type Checkpoint, checkpoint, type Journal, journal } from './state.ts';
import { openStateFiles, type StateFiles, stateKeyOf } from './state-files.ts';

/** The Receiver of one project and agent, while this process holds their lock. */
export interface Receiver {
  /** Real path. */
  workspace: string;
  agent: AgentKind;
  targetId: string;
  folders: TargetFolders;
  service: Service;
  lock: Lock;
  checkpoints: StateFiles<Checkpoint>;
  journals: StateFiles<Journal>;
  /** Cached digests, by folder. */
  digests: Map<string, KnownDigest>;
}

interface ReceiverOptions {
  workspace: string;
  agent: AgentKind;
  targetId: string;
  credential: string;
  service: Service;
  lock: Lock;
}

export function openReceiver({ credential, ...options }: ReceiverOptions): Receiver {
  const { workspace, agent, targetId, lock } = options;
  const folders = targetFoldersOf(agent, targetId);
  const shared = {
    workspace,
    stateKey: stateKeyOf(targetId, credential),
    requireHeld: () => lock.requireHeld(),
  };
  return {
    ...options,
    folders,
    checkpoints: openStateFiles({
      ...shared,
      folder: folders.checkpoints,
      shape: checkpoint,
      artifactIdOf: ({ artifact }) => artifact.artifact_id,
    }),
    journals: openStateFiles({
      ...shared,
      folder: folders.journals,
      shape: journal,
      artifactIdOf: ({ action }) => action.artifact.artifact_id,
    }),
    digests: new Map(),
  };
}

/** The folder that the agent loads a Skill from. */
export function skillFolderOf({ workspace, folders }: Receiver, name: string): string {
  return join(workspace, ...folders.root, name);
}

/** A folder in staging or quarantine. */
export function heldFolderOf({ workspace, folders }: Receiver, name: string): string {
  return join(workspace, ...folders.holding, name);
}

/** The current tree digest of a folder, without the cache; null if it is unreadable or no package. */
export async function digestAt(folder: string): Promise<string | null> {
  return (await readDigest(folder)).digest;
}
