import { join } from 'node:path';
import { type AgentKind, agentFormats } from '@continuity/skill-packages/export';

/** Path of the Receivers' private state below the workspace. */
export const privateNames = ['.service', 'skill-receiver'] as const;

/** Files of the Receiver of one agent, whatever its target. */
export interface AgentFiles {
  configuration: string;
  lock: string;
}

export function agentFilesOf(workspace: string, agent: AgentKind): AgentFiles {
  const privateFolder = join(workspace, ...privateNames);
  return {
    configuration: join(privateFolder, `${agent}.json`),
    lock: join(privateFolder, `${agent}.lock`),
  };
}

/** Folders of a target (spec 40 §10), each as the names of its path below the workspace. */
export interface TargetFolders {
  /** The folder from which the agent loads Skills. */
  root: readonly string[];
  /** Staging and quarantine: beside the root, so that each move is one rename on one file system. */
  holding: readonly string[];
  /** Private state of the target, with the two folders below. */
  state: readonly string[];
  checkpoints: readonly string[];
  journals: readonly string[];
}

export function targetFoldersOf(agent: AgentKind, targetId: string): TargetFolders {
  const [hidden, skills] = agentFormats[agent].root;
  const state = [...privateNames, targetId];
  return {
    root: [hidden, skills],
    holding: [hidden, '.skill-receiver', targetId],
    state,
    checkpoints: [...state, 'checkpoints'],
    journals: [...state, 'journals'],
  };
}
