import { deleteCopy } from './delete-tenant.ts';
import { dropFence } from './fence.ts';
import { requireLastState } from './later-state.ts';
import { claimMove } from './move-state.ts';
import { type Move, type MoveOptions, prepareMove } from './prepare-move.ts';
import { TakenOverError } from './refused-error.ts';
import { markLeft, stateOf } from './tenant-state.ts';

/**
 * Takes a tenant back that does not work on the target: it works on the source, and the copy is deleted. Repeatable. Returns the names of tables
 * whose triggers stay, because the tables were in use. Throws a `MoveRefusedError` if the tenant works on the target,
 * or the source does not have its last state.
 */
export async function abortMove(options: MoveOptions): Promise<string[]> {
  const move = await prepareMove(options);
  const { source, target, tenant, run, report } = move;
  report('abort');
  await requireLastState(move);
  const { state, copy } = await claimMove(move);
  // The target was restored to an earlier backup. It lacks the tenant, or has it as of a time before: the source has the rows.
  if (state === 'left' && copy === undefined) await markLeft(target, tenant, source.name);
  // From here on, the copy misses changes: a move that begins later deletes it.
  if (state !== undefined) await deleteState(source, tenant, run);
  const inUse = new Set(await dropFence(source.session, tenant.tenantId, move.tables));
  await source.session.query('DELETE FROM tenant_changes WHERE tenant_id = $1', [tenant.tenantId]);
  if (copy !== undefined) {
    await deleteCopy(move);
    await deleteState(target, tenant, run);
  }
  // A tenant that left the target earlier keeps its row and its triggers there.
  if ((await stateOf(target.session, tenant.tenantId)) === undefined)
    for (const table of await dropFence(target.session, tenant.tenantId, move.tables)) inUse.add(table);
  return [...inUse];
}

async function deleteState(
  { session }: Move['source'],
  { tenantId }: Move['tenant'],
  run: string,
): Promise<void> {
  const { rowCount } = await session.query('DELETE FROM tenant_moves WHERE tenant_id = $1 AND run = $2', [
    tenantId,
    run,
  ]);
  if (rowCount === 0) throw new TakenOverError();
}
