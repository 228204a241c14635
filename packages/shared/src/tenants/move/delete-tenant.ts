import type { TenantId } from '@continuity/kernel/database';
import { dropFence } from './fence.ts';
import type { Move } from './prepare-move.ts';
import { TakenOverError } from './refused-error.ts';
import { inMoveTransaction, type MoveSession, passFence } from './session.ts';
import {
  groupTables,
  readTenantTables,
  type TableGroup,
  type TenantTable,
  tableSql,
} from './tenant-tables.ts';

/** Rows that one transaction deletes. */
const batchRows = 5_000;

/**
 * Deletes all rows of a tenant that does not work on the server, children before parents, in batches that commit on their own. Repeatable.
 *
 * @param requireMine called in each transaction: throws if the tenant works here again, or another run has taken the move over
 */
export async function deleteTenantRows(
  session: MoveSession,
  tenantId: TenantId,
  groups: readonly TableGroup[],
  requireMine: () => Promise<void>,
): Promise<void> {
  await passFence(session, tenantId);
  for (const { tables, isWhole } of groups.toReversed()) {
    const deleteSome = () =>
      inMoveTransaction(session, async () => {
        await requireMine();
        let deleted = 0;
        for (const table of tables)
          deleted += await deleteBatch(session, table, tenantId, isWhole ? null : batchRows);
        return deleted;
      });
    let deleted = await deleteSome();
    // The rows of a whole group refer to each other, so that one transaction has deleted them all.
    while (!isWhole && deleted === batchRows) deleted = await deleteSome();
  }
  await session.query('DELETE FROM tenant_changes WHERE tenant_id = $1', [tenantId]);
}

/** Deletes the copy on the target while it belongs to this run and is not active. */
export async function deleteCopy({ target, tenant, groups, run }: Move): Promise<void> {
  await deleteTenantRows(target.session, tenant.tenantId, groups, async () => {
    const { rowCount } = await target.session.query(
      "SELECT FROM tenant_moves WHERE tenant_id = $1 AND run = $2 AND state = 'incoming' FOR UPDATE",
      [tenant.tenantId, run],
    );
    if (rowCount === 0) throw new TakenOverError();
  });
}

/**
 * Deletes the rows of tenants that left the server more than `graceSeconds` ago, and their triggers. Their rows in `tenant_moves` stay: gateways
 * and workers go on refusing them, but the database itself does not any more. Returns the names of the tenants. Repeatable.
 *
 * @param mayDelete locks a tenant. False if another run has it, or if its rows here are the only ones
 */
export async function deleteLeftTenants(
  session: MoveSession,
  graceSeconds: number,
  mayDelete: (tenantId: TenantId) => Promise<boolean>,
): Promise<string[]> {
  const tables = await readTenantTables(session);
  const isLeft = `state = 'left' AND deleted_at IS NULL AND changed_at <= now() - $1::int * interval '1 second'`;
  const { rows } = await session.query<{ tenant_id: TenantId; name: string }>(
    `SELECT tenant_id, name FROM tenant_moves WHERE ${isLeft} ORDER BY name`,
    [graceSeconds],
  );
  const deleted: string[] = [];
  for (const { tenant_id, name } of rows) {
    if (!(await mayDelete(tenant_id))) continue;
    // Another run may have deleted the rows, or moved the tenant back, before this one got its lock.
    const known = await session.query(`SELECT FROM tenant_moves WHERE ${isLeft} AND tenant_id = $2`, [
      graceSeconds,
      tenant_id,
    ]);
    if (known.rowCount === 0) continue;
    const requireLeft = async () => {
      const { rowCount } = await session.query(
        "SELECT FROM tenant_moves WHERE tenant_id = $1 AND state = 'left' FOR UPDATE",
        [tenant_id],
      );
      if (rowCount === 0) throw new TakenOverError();
    };
    await deleteTenantRows(session, tenant_id, groupTables(tables), requireLeft);
    await dropFence(session, tenant_id, tables);
    await session.query(
      "UPDATE tenant_moves SET deleted_at = now() WHERE tenant_id = $1 AND state = 'left'",
      [tenant_id],
    );
    deleted.push(name);
  }
  return deleted;
}

async function deleteBatch(
  session: MoveSession,
  table: TenantTable,
  tenantId: TenantId,
  limit: number | null,
): Promise<number> {
  const { rowCount } = await session.query(
    `DELETE FROM ${tableSql(table)} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${tableSql(table)} WHERE tenant_id = $1 LIMIT $2)) AND tenant_id = $1`,
    [tenantId, limit],
  );
  return rowCount ?? 0;
}
