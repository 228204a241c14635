import type { FailureState, RemoteSkillAction } from '@continuity/contract/remote-skills';
import { ServiceError } from '../errors.ts';
import { type ActionFailure, errorCodes, StaleActionError, toActionFailure } from './errors.ts';
import { install } from './install.ts';
import { driftMessage } from './ownership.ts';
import { type Receiver, skillFolderOf } from './receiver.ts';
import type { Problem, SyncReport } from './report.ts';
import { unpublish } from './unpublish.ts';

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

/** The problem of a blocked action. The service knows it, so no receipt follows. */
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
