import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { ServiceError } from '../errors.ts';
import { type ReceiverConfig, readReceiverConfig, writeReceiverConfig } from './config.ts';
import { ReceiverError } from './errors.ts';
import { removeTree } from './folders.ts';
import { environmentFingerprintOf, namesOf, receiverVersion } from './machine.ts';
import { observe } from './observe.ts';
import { type LockedProject, type Project, receiverOf, withLockedProject } from './open-project.ts';
import type { Receiver } from './receiver.ts';
import { recoverAll } from './recover.ts';
import { redeemCode } from './service.ts';
import type { Checkpoint } from './state.ts';
import { clientOptionsOf, type ServiceAddress } from './transport.ts';

export interface EnrollOptions extends Project, ServiceAddress {
  /** One-time code of the target. */
  code: string;
  /** The user wants to leave the present enrollment, if there is one. */
  replaces: boolean;
}

/**
 * Binds a project and an agent to a target, and stores its credential. What an earlier enrollment installed stays owned, if it is
 * unchanged. Throws `ReceiverError` if the project is enrolled and the service accepts its credential, unless it is to be replaced.
 */
export async function enroll(options: EnrollOptions): Promise<ReceiverConfig> {
  // Before anything else: a code must not be sent to an address that others can listen to.
  clientOptionsOf(options);
  return await withLockedProject(options, (project) => enrollProject(project, options));
}

async function enrollProject(
  project: LockedProject,
  { code, replaces, ...options }: EnrollOptions,
): Promise<ReceiverConfig> {
  const { files, workspace, agent } = project;
  const old = await readReceiverConfig(files.configuration, workspace);
  const owned = old === undefined ? [] : await leave(receiverOf(project, old), old, replaces);
  const redeemed = await redeemCode(options, {
    enrollment_code: code,
    installation_id: randomUUID(),
    receiver_version: receiverVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
    ...namesOf(workspace),
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
    workspace,
    receiver_version: receiverVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
    allow_insecure_http: options.allowInsecureHttp,
  };
  await takeOver(project, config, owned);
  await writeReceiverConfig(files.configuration, config, project.lock);
  if (old !== undefined && old.target_id !== config.target_id) {
    await removeTree(join(files.privateFolder, old.target_id));
  }
  return config;
}

/** Ends the present enrollment. Returns the checkpoints that agree with the disk. */
async function leave(
  receiver: Receiver,
  { target_id }: ReceiverConfig,
  replaces: boolean,
): Promise<Checkpoint[]> {
  const [failure] = (await recoverAll(receiver)).values();
  if (failure !== undefined) throw new ReceiverError(failure.message);
  const checkpoints = await receiver.checkpoints.list({ skipsDamaged: true });
  const observations = await observe(receiver, checkpoints);
  if (!replaces && (await isAccepted(receiver, observations))) {
    throw new ReceiverError(`This project is enrolled as ${target_id}. To enroll it anew, pass --replace.`);
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
