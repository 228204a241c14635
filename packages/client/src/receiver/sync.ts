import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import { type ActionFailure, ReceiverError } from './errors.ts';
import { observe } from './observe.ts';
import { perform } from './perform.ts';
import type { Receiver } from './receiver.ts';
import { recoverAll, removeHolding } from './recover.ts';
import type { SyncReport } from './report.ts';

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
    // In each round, because an action that failed may have left its journal.
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
