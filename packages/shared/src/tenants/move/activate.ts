import type { TenantId } from '@continuity/kernel/database';
import { TakenOverError } from './refused-error.ts';
import { inMoveTransaction, type MoveSession } from './session.ts';

interface Activation {
  source: { session: MoveSession };
  target: { session: MoveSession };
  tenant: { tenantId: TenantId };
  run: string;
}

/**
 * Jobs that ran on the server before run again. As after a stop of their worker, the loss counts against none of them, and a background job
 * continues as a delivered foreground job: its group may hold one queued background job at most.
 */
const requeueRunning = `
  UPDATE jobs SET status = 'queued', worker_id = NULL, started_at = NULL, progress = NULL, background = false,
    delivered_at = CASE WHEN background THEN now() ELSE delivered_at END, enqueues = enqueues + 1, enqueued_at = NULL
  WHERE tenant_id = $1 AND status = 'running'`;

/** The queues of this server do not have the entries yet: the next sweep of any worker adds them. */
const requeueQueued = "UPDATE jobs SET enqueued_at = NULL WHERE tenant_id = $1 AND status = 'queued'";

/** Scopes whose entries may lack a vector of the profile that the workers of this server embed into. */
const embedAll = 'UPDATE memory_totals SET embedding_due_at = now() WHERE tenant_id = $1';

const selectActiveProfile = `
  SELECT profile_id, model, dimension, marked_scope IS NOT NULL AS is_marking FROM embedding_profiles
  ORDER BY activated_at DESC, profile_key DESC LIMIT 1`;

interface ActiveProfile {
  profile_id: string;
  model: string;
  dimension: number;
  is_marking: boolean;
}

/**
 * Makes the tenant work on the target: the one statement that decides it. Call it when the tenant has left the source for `leftMs`. Throws a
 * `TakenOverError` if another run has taken the move over.
 */
export async function activate({ source, target, tenant, run }: Activation): Promise<void> {
  const [before, after] = await Promise.all([activeProfile(source.session), activeProfile(target.session)]);
  await inMoveTransaction(target.session, async () => {
    const { rows } = await target.session.query<{ moveVersion: string }>(
      `DELETE FROM tenant_moves WHERE tenant_id = $1 AND run = $2 AND state = 'incoming'
       RETURNING progress ->> 'seal' AS "moveVersion"`,
      [tenant.tenantId, run],
    );
    const [row] = rows;
    if (row === undefined) throw new TakenOverError();
    await target.session.query('UPDATE tenants SET move_seal = $2 WHERE tenant_id = $1', [
      tenant.tenantId,
      row.moveVersion,
    ]);
    await target.session.query(requeueRunning, [tenant.tenantId]);
    await target.session.query(requeueQueued, [tenant.tenantId]);
    if (needsVectors(before, after)) await target.session.query(embedAll, [tenant.tenantId]);
  });
}

async function activeProfile(session: MoveSession): Promise<ActiveProfile | undefined> {
  const { rows } = await session.query<ActiveProfile>(selectActiveProfile);
  return rows[0];
}

/** Whether the workers of the target embed into another profile, or either server has marked only some Scopes for it. */
function needsVectors(before: ActiveProfile | undefined, after: ActiveProfile | undefined): boolean {
  if (after === undefined) return false;
  const isSame =
    before?.profile_id === after.profile_id &&
    before.model === after.model &&
    before.dimension === after.dimension;
  return !isSame || before.is_marking || after.is_marking;
}
