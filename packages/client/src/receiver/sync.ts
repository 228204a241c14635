import {
  type FailureState,
  maxPublications,
  type RemoteSkillAction,
  type RemoteSkillObservation,
} from '@continuity/contract/remote-skills';
import { ServiceError } from '../errors.ts';
import {
  type ActionFailure,
  errorCodes,
  ReceiverError,
  StaleActionError,
  toActionFailure,
  UnexpectedEntryError,
} from './errors.ts';
import { haveFolders, statusOf } from './folders.ts';
import { install } from './install.ts';
import { type KnownDigest, readDigest } from './installed-tree.ts';
import { driftMessage, observationOf } from './ownership.ts';
import { foldersOf, type Receiver, skillFolderOf } from './receiver.ts';
import { recoverAll, removeHolding } from './recover.ts';
import type { Checkpoint } from './state.ts';
import { unpublish } from './unpublish.ts';

/** Something that a person may have to decide. */
export interface Problem {
  skill_name: string;
  artifact_id: string;
  state: FailureState;
  /** The folder of the Skill. */
  folder: string;
  message: string;
}

/** What a sync did. */
export interface SyncReport {
  installed: { skill_name: string; artifact_id: string; revision: number }[];
  removed: { skill_name: string; artifact_id: string }[];
  problems: Problem[];
  /** Whether an action failed, so that the next sync should come soon. */
  hasFailed: boolean;
  /** Seconds that the service asked to wait; 0 if it did not. */
  retryAfterSeconds: number;
}

/** Rounds of one sync in which the service decides anew. */
const maxRounds = 3;

/**
 * Brings the installed Skills to what the service wants (spec 40 §10, Sync). Stops at any moment without harm: the next sync goes on.
 * Throws `ReceiverError`, and the errors of the client and the file system.
 */
export async function sync(receiver: Receiver): Promise<SyncReport> {
  const unrecovered = await recoverAll(receiver);
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
 * What is installed. Drops the checkpoints of folders that do not exist, so that they are installed again. Leaves out the Artifacts with
 * a journal that remains: what is on disk is in between, and their actions are answered with the failure of the recovery.
 */
export async function observe(
  receiver: Receiver,
  checkpoints: readonly Checkpoint[],
  unrecovered: ReadonlyMap<string, ActionFailure> = new Map(),
): Promise<RemoteSkillObservation[]> {
  const isReal = await hasRealRoot(receiver);
  const observations: RemoteSkillObservation[] = [];
  const digests = new Map<string, KnownDigest>();
  for (const checkpoint of checkpoints) {
    const id = checkpoint.artifact.artifact_id;
    if (unrecovered.has(id)) continue;
    const folder = skillFolderOf(receiver, checkpoint.skill_name);
    if (isReal && (await statusOf(folder)) === undefined) {
      await receiver.checkpoints.remove(id);
      continue;
    }
    const found = isReal ? await readDigest(folder, receiver.digests.get(folder)) : undefined;
    if (found !== undefined) digests.set(folder, found);
    observations.push(observationOf(checkpoint, found?.digest ?? null));
  }
  receiver.digests = digests;
  return observations.slice(0, maxPublications);
}

/** False if a link or a file has the place of the root: then nothing below it is what this Receiver installed. */
async function hasRealRoot(receiver: Receiver): Promise<boolean> {
  try {
    await haveFolders(receiver.workspace, foldersOf(receiver).root);
    return true;
  } catch (error) {
    if (error instanceof UnexpectedEntryError) return false;
    throw error;
  }
}

async function perform(
  receiver: Receiver,
  action: RemoteSkillAction,
  known: ActionFailure | undefined,
  report: SyncReport,
): Promise<'done' | 'stale'> {
  if (action.blocked_error_code !== null) {
    report.problems.push(await blockedProblem(receiver, action, action.blocked_error_code));
    return 'done';
  }
  try {
    const failure = known ?? (await run(receiver, action));
    if (failure === undefined) {
      addSuccess(report, action);
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

/** Performs an action. Returns its failure. */
async function run(receiver: Receiver, action: RemoteSkillAction): Promise<ActionFailure | undefined> {
  try {
    await (action.operation === 'install' ? install(receiver, action) : unpublish(receiver, action));
    return undefined;
  } catch (error) {
    if (error instanceof StaleActionError) throw error;
    return toActionFailure(error);
  }
}

function addSuccess(report: SyncReport, { operation, skill_name, artifact }: RemoteSkillAction): void {
  const { artifact_id, revision } = artifact;
  if (operation === 'install') report.installed.push({ skill_name, artifact_id, revision });
  else report.removed.push({ skill_name, artifact_id });
}

/** The service knows of the problem, so that no receipt follows. */
async function blockedProblem(receiver: Receiver, action: RemoteSkillAction, code: string): Promise<Problem> {
  const checkpoint = await receiver.checkpoints.read(action.artifact.artifact_id);
  const name = checkpoint?.skill_name ?? action.skill_name;
  const folder = skillFolderOf(receiver, name);
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
  const folder = skillFolderOf(receiver, name);
  return { skill_name: name, artifact_id: artifact.artifact_id, state, folder, message };
}
