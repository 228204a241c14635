import { realpath } from 'node:fs/promises';
import type { AgentKind } from '@continuity/skill-packages/export';
import { makePrivateFolder, type ReceiverConfig, readReceiverConfig } from './config.ts';
import { ReceiverError } from './errors.ts';
import { type AgentFiles, agentFilesOf } from './layout.ts';
import { acquireLock, type Lock } from './lock.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { connectService } from './service.ts';

/** The project and the agent that a Receiver is bound to. */
export interface Project {
  /** Folder of the workspace. */
  project: string;
  agent: AgentKind;
}

/** A project of which this process holds the lock. */
export interface LockedProject {
  workspace: string;
  agent: AgentKind;
  files: AgentFiles;
  lock: Lock;
}

/** Works in a project while this process holds its lock. Throws `ReceiverError` if another process holds it. */
export async function withLockedProject<Result>(
  { project, agent }: Project,
  work: (locked: LockedProject) => Promise<Result>,
): Promise<Result> {
  const workspace = await findWorkspace(project);
  const files = agentFilesOf(workspace, agent);
  await makePrivateFolder(workspace);
  const lock = await acquireLock(files.lock);
  try {
    return await work({ workspace, agent, files, lock });
  } finally {
    await lock.release();
  }
}

/** The real path of a project. */
export async function findWorkspace(project: string): Promise<string> {
  return await realpath(project).catch((error: Error) => {
    throw new ReceiverError(`Cannot open the project: ${error.message}`);
  });
}

/** The Receiver that a configuration describes. */
export function receiverOf(
  { workspace, agent, lock }: LockedProject,
  config: ReceiverConfig,
  signal?: AbortSignal,
): Receiver {
  const { server_url, target_id, credential, allow_insecure_http } = config;
  const service = connectService({
    agent,
    credential,
    serverUrl: server_url,
    allowInsecureHttp: allow_insecure_http,
    ...(signal !== undefined && { signal }),
  });
  return openReceiver({ workspace, agent, targetId: target_id, credential, service, lock });
}

/** The configuration of an enrolled project. Throws `ReceiverError` without one. */
export async function requireConfig(files: AgentFiles, workspace: string): Promise<ReceiverConfig> {
  const config = await readReceiverConfig(files.configuration, workspace);
  if (config === undefined) {
    throw new ReceiverError(`${workspace} is not enrolled. Run: continuity receiver enroll --help`);
  }
  return config;
}
