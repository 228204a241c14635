import type { Issue } from '@continuity/contract';
import type { ConnectorBinding } from '@continuity/contract/connectors';
import {
  canonicalJsonWithin,
  type Database,
  type JsonValue,
  pick,
  type RowOfStatement,
  refuse,
  type ServiceError,
  type Sql,
  serviceError,
  statement,
  type TenantId,
  type Transaction,
  tables,
  tooManyBytes,
} from '@continuity/shared/kernel';
import { scopeForWrite, scopeKey } from '../scopes/index.ts';

/** Bound of a checkpoint, in bytes of canonical JSON (spec 10 §9). */
const maxCheckpointBytes = 65_536;

export interface CheckpointCommit {
  tenantId: TenantId;
  binding: ConnectorBinding;
  expected: JsonValue;
  checkpoint: JsonValue;
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
 * The checkpoint of a binding; null where none was ever committed. Throws 409 `checkpoint_conflict` for another
 * connector's.
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
 * Replaces the checkpoint if it is the expected one, and makes the Scope where it is missing. Throws 422 for a value over its
 * bound, 409 `checkpoint_conflict` with what is current.
 */
export async function commitCheckpoint(database: Database, commit: CheckpointCommit): Promise<void> {
  const issues: Issue[] = [];
  const expected = write('expected', commit.expected, issues);
  const checkpoint = write('checkpoint', commit.checkpoint, issues);
  refuse(issues);
  await database.transaction(async (sql) => {
    if (await replace(sql, commit, expected, checkpoint)) return;
    // Before the Scope is made: what is refused changes nothing.
    if (commit.expected !== null) throw stale(null);
    if (await add(sql, commit, checkpoint)) return;
    // Another first commit was faster, and is there to be seen now.
    await replace(sql, commit, expected, checkpoint);
  });
}

/** False where nothing was committed yet. */
async function replace(
  sql: Transaction,
  { tenantId, binding }: CheckpointCommit,
  expected: string,
  checkpoint: string,
): Promise<boolean> {
  const row = await sql.first(lockStatement, keyOf(tenantId, binding));
  if (row === undefined) return false;
  checkConnector(binding, row);
  if (row.checkpoint !== expected) throw stale(JSON.parse(row.checkpoint) as JsonValue);
  await sql.commitWith(replaceStatement, [tenantId, row.scope_key, binding.binding_id, checkpoint]);
  return true;
}

async function add(sql: Sql, { tenantId, binding }: CheckpointCommit, checkpoint: string): Promise<boolean> {
  const { scope_id, binding_id, connector_name, connector_version } = binding;
  const scopeKey = await scopeForWrite(sql, tenantId, scope_id);
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

function stale(current: JsonValue): ServiceError {
  return serviceError('checkpoint_conflict', { details: { reason: 'stale', current } });
}

/** The value as canonical JSON. One over the bound is an issue more, and nothing. */
function write(path: string, value: JsonValue, issues: Issue[]): string {
  const canonical = canonicalJsonWithin(value, maxCheckpointBytes);
  if (canonical === undefined) issues.push(tooManyBytes(path, maxCheckpointBytes));
  return canonical ?? '';
}
