import {
  type FailureState,
  maxPublications,
  type RemoteSkillAction,
  type RemoteSkillObservation,
} from '@continuity/contract/remote-skills';
import { ServiceError } from '../errors.ts';
import { driftMessage, observationOf } from './actions.ts';
import {
  type ActionFailure,
  errorCodes,
  ReceiverError,
  StaleActionError,
  toActionFailure,
  UnexpectedEntryError,
} from './errors.ts';
import type { Folder } from './folder.ts';
import { adopt, install } from './install.ts';
import { type KnownDigest, readDigest } from './package-tree.ts';
import { type Receiver, skillPathOf } from './receiver.ts';
import { recoverAll, removeHolding } from './recover.ts';
import type { Checkpoint } from './state.ts';
import { unpublish } from './unpublish.ts';

/** A Skill that was not installed, updated or removed. */
export interface Problem {
  skill_name: string;
  artifact_id: string;
  state: FailureState;
  /** The folder of the Skill. */
  folder: string;
  message: string;
}

/** Result of a sync. */
export interface SyncReport {
  installed: { skill_name: string; artifact_id: string; revision: number }[];
  removed: { skill_name: string; artifact_id: string }[];
  problems: Problem[];
  /** Whether an action failed, so that the next sync should come soon. */
  hasFailed: boolean;
  /** Largest `Retry-After` of the service, in seconds; 0 without one. */
  retryAfterSeconds: number;
}

/** Limit of the rounds of one sync. A round repeats if publications change meanwhile. */
const maxRounds = 3;

/**
 * Installs, updates and removes Skills as the service has published them (spec 40 §10, Sync). May be killed at any moment: the next sync
 * recovers. Throws `ReceiverError`, and errors of the client and of the file system.
 */
export async function sync(receiver: Receiver): Promise<SyncReport> {
  const report: SyncReport = {
    installed: [],
    removed: [],
    problems: [],
    hasFailed: false,
    retryAfterSeconds: 0,
  };
  for (let round = 1; round <= maxRounds; round += 1) {
    report.problems = [];
    report.hasFailed = false;
    // In each round: somebody may have replaced folders, and an action that failed may have left its journal.
    await receiver.workspace.release();
    const unrecovered = await recoverAll(receiver);
    const actions = await reconcile(receiver, unrecovered);
    let isStale = false;
    for (const action of actions) {
      const known = unrecovered.get(action.artifact.artifact_id);
      isStale = (await perform(receiver, action, known, report)) === 'stale' || isStale;
    }
    await removeHolding(receiver);
    if (!isStale) return report;
  }
  return { ...report, hasFailed: true };
}

async function reconcile(
  receiver: Receiver,
  unrecovered: ReadonlyMap<string, ActionFailure>,
): Promise<RemoteSkillAction[]> {
  const observations = await observe(receiver, await receiver.checkpoints.list(), unrecovered);
  const { target_id, actions } = await receiver.service.reconcile(observations);
  if (target_id !== receiver.targetId) {
    throw new ReceiverError(`The service answers for the target ${target_id}, not ${receiver.targetId}.`);
  }
  return actions;
}

/**
 * Compares each checkpoint with the disk, for the service. Removes the checkpoints of missing folders, so that the service sends these
 * Skills again. Omits Artifacts whose recovery failed: their folders are neither old nor new.
 */
export async function observe(
  receiver: Receiver,
  checkpoints: readonly Checkpoint[],
  unrecovered: ReadonlyMap<string, ActionFailure> = new Map(),
): Promise<RemoteSkillObservation[]> {
  const root = await findRoot(receiver);
  const observations: RemoteSkillObservation[] = [];
  const digests = new Map<string, KnownDigest>();
  for (const checkpoint of checkpoints) {
    const id = checkpoint.artifact.artifact_id;
    const name = checkpoint.skill_name;
    if (unrecovered.has(id)) continue;
    if (root !== 'foreign' && (await root?.statusOf(name)) === undefined) {
      await receiver.checkpoints.remove(id);
      continue;
    }
    const found = root === 'foreign' ? undefined : await readDigest(root, name, receiver.digests.get(name));
    if (found !== undefined) digests.set(name, found);
    observations.push(observationOf(checkpoint, found?.digest ?? null));
  }
  receiver.digests = digests;
  return observations.slice(0, maxPublications);
}

/** The root; undefined if it is missing. Nothing below a link or in a folder of another user was installed by this Receiver. */
async function findRoot({ workspace, layout }: Receiver): Promise<Folder | undefined | 'foreign'> {
  try {
    return await workspace.find(layout.root);
  } catch (error) {
    if (error instanceof UnexpectedEntryError) return 'foreign';
    throw error;
  }
}

/**
 * Performs an action, sends its receipt, and adds its result to the report. With `known`, a failed recovery, it only reports this
 * failure. Returns `stale` if the publication has changed since the service sent the action. Throws errors that stop the whole sync.
 */
export async function perform(
  receiver: Receiver,
  action: RemoteSkillAction,
  known: ActionFailure | undefined,
  report: SyncReport,
): Promise<'done' | 'stale'> {
  if (action.blocked_error_code !== null) {
    // The service compares with a checkpoint that is older than the folder.
    if (action.operation === 'install' && (await adoptNewer(receiver, action))) return 'stale';
    report.problems.push(await blockedProblem(receiver, action, action.blocked_error_code));
    return 'done';
  }
  try {
    const failure = known ?? (await run(receiver, action, report));
    if (failure === undefined) {
      const observed = action.operation === 'install' ? action.tree_digest : null;
      await receiver.service.sendReceipt(action, { observed });
    } else {
      const { state, message, cause } = failure;
      const retryAfter = cause instanceof ServiceError ? cause.retryAfterSeconds : null;
      report.hasFailed = true;
      report.retryAfterSeconds = Math.max(report.retryAfterSeconds, retryAfter ?? 0);
      report.problems.push(problemOf(receiver, action, { state, message }));
      await receiver.service.sendReceipt(action, { failure: { state, code: errorCodes[state] } });
    }
    return 'done';
  } catch (error) {
    if (error instanceof StaleActionError) return 'stale';
    throw error;
  }
}

/** Runs an action. Returns its failure; undefined if it succeeded. */
async function run(
  receiver: Receiver,
  action: RemoteSkillAction,
  report: SyncReport,
): Promise<ActionFailure | undefined> {
  const { operation, skill_name, artifact } = action;
  const { artifact_id, revision } = artifact;
  try {
    if (operation === 'install') {
      await install(receiver, action);
      report.installed.push({ skill_name, artifact_id, revision });
    } else if (await unpublish(receiver, action)) report.removed.push({ skill_name, artifact_id });
    return undefined;
  } catch (error) {
    if (error instanceof StaleActionError) throw error;
    return toActionFailure(error);
  }
}

/**
 * Adopts a folder that holds exactly the wanted package while its checkpoint is of another one, such as one from a backup. The service
 * blocks the action, because it compares the folder with the checkpoint. Returns whether the checkpoint was corrected.
 */
async function adoptNewer(receiver: Receiver, action: RemoteSkillAction): Promise<boolean> {
  const checkpoint = await receiver.checkpoints.read(action.artifact.artifact_id);
  if (checkpoint?.skill_name !== action.skill_name || checkpoint.tree_digest === action.tree_digest)
    return false;
  try {
    return await adopt(receiver, action, undefined);
  } catch (error) {
    toActionFailure(error);
    return false;
  }
}

/** The problem of a blocked action. The service knows it, so no receipt follows. */
async function blockedProblem(receiver: Receiver, action: RemoteSkillAction, code: string): Promise<Problem> {
  const checkpoint = await receiver.checkpoints.read(action.artifact.artifact_id);
  const name = checkpoint?.skill_name ?? action.skill_name;
  const folder = skillPathOf(receiver, name);
  return code === errorCodes.drifted
    ? problemOf(receiver, action, { state: 'drifted', message: driftMessage(folder), name })
    : problemOf(receiver, action, {
        state: 'conflict',
        message: `The service cannot verify what ${folder} holds: ${code}. Move the folder away.`,
        name,
      });
}

function problemOf(
  receiver: Receiver,
  { skill_name, artifact }: RemoteSkillAction,
  { state, message, name = skill_name }: { state: FailureState; message: string; name?: string },
): Problem {
  const folder = skillPathOf(receiver, name);
  return { skill_name: name, artifact_id: artifact.artifact_id, state, folder, message };
}
