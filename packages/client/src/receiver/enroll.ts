import { randomUUID } from 'node:crypto';
import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { ServiceError } from '../errors.ts';
import { packageVersion } from '../request.ts';
import { makePrivateFolder, type ReceiverConfig, writeReceiverConfig } from './config.ts';
import { ReceiverError } from './errors.ts';
import {
  findConfig,
  type LockedProject,
  type Project,
  type Receiver,
  receiverOf,
  requireConfig,
  withLockedProject,
} from './receiver.ts';
import { requireRecovered } from './recover.ts';
import {
  clientOptionsOf,
  environmentFingerprintOf,
  namesOf,
  redeemCode,
  type ServiceAddress,
} from './service.ts';
import type { Checkpoint } from './state.ts';
import { observe } from './sync.ts';
import { agentFilesOf, privateNames } from './workspace.ts';

export interface EnrollOptions extends Project, ServiceAddress {
  /** One-time code of the target. */
  code: string;
  /** Replaces an enrollment whose credential is valid. */
  replaces: boolean;
}

/**
 * Enrolls an agent's project at a target, and stores the credential. Unchanged Skills of an earlier enrollment stay managed. Throws
 * `ReceiverError` if the project is enrolled with a valid credential, unless `replaces` is set.
 */
export async function enroll(options: EnrollOptions): Promise<ReceiverConfig> {
  // First, because it refuses addresses over which others could read the code.
  clientOptionsOf(options);
  return await withLockedProject(options, (project) => enrollProject(project, options));
}

async function enrollProject(
  project: LockedProject,
  { code, replaces, ...options }: EnrollOptions,
): Promise<ReceiverConfig> {
  const { workspace, agent } = project;
  const old = await findConfig(workspace, agent);
  const previous = old === undefined ? undefined : receiverOf(project, old);
  const owned = previous === undefined ? [] : await prepareToLeave(previous, replaces);
  const redeemed = await redeemCode(options, {
    enrollment_code: code,
    installation_id: randomUUID(),
    receiver_version: packageVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
    ...namesOf(workspace.path),
  });
  if (redeemed.agent_kind !== agent) {
    throw new ReceiverError(
      `This code was for ${redeemed.agent_kind}, and is used up. Revoke the target ${redeemed.target_id}, and create one for ${agent}.`,
    );
  }
  const config: ReceiverConfig = {
    schema: 'service.remote-skill-receiver-config.v1',
    server_url: options.serverUrl,
    target_id: redeemed.target_id,
    credential: redeemed.credential,
    agent_kind: agent,
    workspace: workspace.path,
    receiver_version: packageVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
    allow_insecure_http: options.allowInsecureHttp,
  };
  await takeOver(project, config, owned);
  const folder = await makePrivateFolder(workspace);
  await writeReceiverConfig(folder, agentFilesOf(agent).configuration, config, project.lock);
  if (previous !== undefined && previous.targetId !== config.target_id) {
    await workspace.removeTree(previous.layout.state);
  }
  return config;
}

/** Prepares the end of an enrollment. Returns the checkpoints of unchanged Skills. Throws `ReceiverError` as `enroll` does. */
async function prepareToLeave(receiver: Receiver, replaces: boolean): Promise<Checkpoint[]> {
  await requireRecovered(receiver);
  const checkpoints = await receiver.checkpoints.list({ skipsDamaged: true });
  const observations = await observe(receiver, checkpoints);
  if (!replaces && (await isAccepted(receiver, observations))) {
    throw new ReceiverError(
      `This project is enrolled as ${receiver.targetId}. To enroll it anew, pass --replace.`,
    );
  }
  const unchanged = new Set(
    observations
      .filter(({ tree_digest, actual_tree_digest }) => tree_digest === actual_tree_digest)
      .map(({ artifact }) => artifact.artifact_id),
  );
  return checkpoints.filter(({ artifact }) => unchanged.has(artifact.artifact_id));
}

/** Whether the service accepts the credential. */
async function isAccepted({ service }: Receiver, observations: RemoteSkillObservation[]): Promise<boolean> {
  try {
    await service.reconcile(observations);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) return false;
    throw error;
  }
}

async function takeOver(
  project: LockedProject,
  config: ReceiverConfig,
  owned: readonly Checkpoint[],
): Promise<void> {
  const receiver = receiverOf(project, config);
  for (const checkpoint of owned) {
    await receiver.checkpoints.write({ ...checkpoint, target_id: config.target_id, applied_generation: 0 });
  }
}

/**
 * Removes the credential and the state. The installed Skills stay, and the service still has the target. Throws `ReceiverError` if the
 * project is not enrolled, or a Receiver runs in it.
 */
export async function unenroll(options: Project): Promise<{ targetId: string }> {
  return await withLockedProject(options, async (project) => {
    const { workspace, agent } = project;
    const config = await requireConfig(workspace, agent);
    const receiver = receiverOf(project, config);
    await requireRecovered(receiver);
    // The credential first, because the other files are useless without it.
    const folder = await workspace.find(privateNames);
    await folder?.unlink(agentFilesOf(agent).configuration);
    await folder?.sync();
    await workspace.removeTree(receiver.layout.state);
    return { targetId: receiver.targetId };
  });
}
