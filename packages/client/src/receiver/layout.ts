import { join } from 'node:path';
import { type AgentKind, agentFormats } from '@continuity/skill-packages/export';

/** Folder of a workspace for private state of the service's programs, and the Receivers' folder in it. */
export const privateNames = ['.service', 'skill-receiver'] as const;

/** Files of the Receiver of one agent that do not depend on its target. */
export interface AgentFiles {
  /** `.service/skill-receiver` in the workspace. */
  privateFolder: string;
  configuration: string;
  lock: string;
}

export function agentFilesOf(workspace: string, agent: AgentKind): AgentFiles {
  const privateFolder = join(workspace, ...privateNames);
  return {
    privateFolder,
    configuration: join(privateFolder, `${agent}.json`),
    lock: join(privateFolder, `${agent}.lock`),
  };
}

/** Names of the folders of a target, each below the one before, from the workspace on (spec 40 §10). */
export interface TargetFolders {
  /** Where the agent looks for Skills. */
  root: readonly string[];
  /** Staging and quarantine: beside the root, so that each move is one rename on one file system. */
  holding: readonly string[];
  checkpoints: readonly string[];
  journals: readonly string[];
}

export function targetFoldersOf(agent: AgentKind, targetId: string): TargetFolders {
  const [hidden, skills] = agentFormats[agent].root;
  return {
    root: [hidden, skills],
    holding: [hidden, '.skill-receiver', targetId],
    checkpoints: [...privateNames, targetId, 'checkpoints'],
    journals: [...privateNames, targetId, 'journals'],
  };
}
