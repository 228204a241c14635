import type { ConnectorBinding } from '@continuity/contract/connectors';
import {
  type Database,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import { ensureScope, scopeKey } from '../scopes/index.ts';
import type { PreparedCheckpoint } from './bodies/index.ts';

interface CheckpointCommit extends PreparedCheckpoint {
  tenantId: TenantId;
}

const columns = 'k.scope_key, k.connector_name, k.connector_version, k.checkpoint';
const ofBinding = `FROM connector_checkpoints k
   WHERE k.tenant_id = $1 AND k.scope_key = ${scopeKey} AND k.binding_id = $3`;

const findStatement = statement(
  'find_checkpoint',
  `SELECT ${columns} ${ofBinding}`,
  pick(tables.connector_checkpoints, 'scope_key', 'connector_name', 'connector_version', 'checkpoint'),
);

type CheckpointRow = RowOfStatement<typeof findStatement>;

const lockStatement = statement(
  'lock_checkpoint',
  `SELECT ${columns} ${ofBinding} FOR UPDATE OF k`,
  pick(tables.connector_checkpoints, 'scope_key', 'connector_name', 'connector_version', 'checkpoint'),
);

const addStatement = statement(
  'add_checkpoint',
  `INSERT INTO connector_checkpoints (tenant_id, scope_key, binding_id, connector_name, connector_version, checkpoint)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING scope_key`,
  pick(tables.connector_checkpoints, 'scope_key'),
);

const replaceStatement = statement(
  'replace_checkpoint',
  `UPDATE connector_checkpoints SET checkpoint = $4, committed_at = now()
   WHERE tenant_id = $1 AND scope_key = $2 AND binding_id = $3`,
);

/**
 * Reads the checkpoint of a binding; null if none was committed. Throws 409 `checkpoint_conflict` for a binding of another
 * connector.
 */
export async function readCheckpoint(
  sql: Sql,
  tenantId: TenantId,
  binding: ConnectorBinding,
): Promise<JsonValue> {
  const row = await sql.first(findStatement, keyOf(tenantId, binding));
  if (row === undefined) return null;
  checkConnector(binding, row);
  return JSON.parse(row.checkpoint) as JsonValue;
}

/**
 * Replaces the checkpoint if it is the expected one, and creates a missing Scope. Throws 409 `checkpoint_conflict` with the current
 * checkpoint.
 */
export async function commitCheckpoint(database: Database, commit: CheckpointCommit): Promise<void> {
  await database.transaction(async (sql) => {
    if (await replace(sql, commit)) return;
    // Comes before the Scope is created, because a conflict must change nothing.
    if (commit.expected !== 'null') throw checkpointConflict(null);
    if (await add(sql, commit)) return;
    // A concurrent first commit has won, and its row is visible to the next statement.
    await replace(sql, commit);
  });
}

/** Returns false if no checkpoint was committed. */
async function replace(
  sql: Transaction,
  { tenantId, binding, expected, checkpoint }: CheckpointCommit,
): Promise<boolean> {
  const row = await sql.first(lockStatement, keyOf(tenantId, binding));
  if (row === undefined) return false;
  checkConnector(binding, row);
  if (row.checkpoint !== expected) throw checkpointConflict(JSON.parse(row.checkpoint) as JsonValue);
  await sql.commitWith(replaceStatement, [tenantId, row.scope_key, binding.binding_id, checkpoint]);
  return true;
}

async function add(sql: Sql, { tenantId, binding, checkpoint }: CheckpointCommit): Promise<boolean> {
  const { scope_id, binding_id, connector_name, connector_version } = binding;
  const scopeKey = await ensureScope(sql, tenantId, scope_id);
  const values = [tenantId, scopeKey, binding_id, connector_name, connector_version, checkpoint];
  return (await sql.first(addStatement, values)) !== undefined;
}

function keyOf(tenantId: TenantId, { scope_id, binding_id }: ConnectorBinding): unknown[] {
  return [tenantId, scope_id, binding_id];
}

function checkConnector(
  binding: ConnectorBinding,
  { connector_name, connector_version }: CheckpointRow,
): void {
  if (binding.connector_name === connector_name && binding.connector_version === connector_version) return;
  throw serviceError('checkpoint_conflict', {
    message: 'This binding_id belongs to another connector or version. Use one of its own.',
    details: { reason: 'binding', current: { connector_name, connector_version } },
  });
}

function checkpointConflict(current: JsonValue): ServiceError {
  return serviceError('checkpoint_conflict', { details: { reason: 'stale', current } });
}
