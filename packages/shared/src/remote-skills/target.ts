import type { Presence, RemoteSkillTarget, TargetState } from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/contract/skill-format';
import {
  column,
  pick,
  type RowOf,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { findScopeKey, scopeKey } from '../scopes/index.ts';

/** Identifies a target in a request. */
export interface TargetAddress {
  tenantId: TenantId;
  scopeId: string;
  targetId: string;
}

/** The key of a target's row. */
export interface TargetKey {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  targetId: string;
}

const stored = pick(
  tables.remote_skill_targets,
  'target_id',
  'display_name',
  'agent_kind',
  'installation_id',
  'state',
  'receiver_version',
  'environment_fingerprint',
  'machine_hostname',
  'workspace_name',
  'last_seen_at',
  'generation',
);

/** The columns of a target as it is shown, and the time of the database. */
export const targetColumns = { ...stored, now: column.timestamptz };

/** Their SQL. The table has the alias `t`. */
export const selectTarget = `${Object.keys(stored)
  .map((name) => `t.${name}`)
  .join(', ')}, now() AS now`;

export type TargetRow = RowOf<typeof targetColumns>;

/** A target in the shape of the contract. After `offlineMs` without a contact, its presence is `offline`. */
export function presentTarget(
  { now, last_seen_at: lastSeenAt, ...row }: TargetRow,
  scopeId: string,
  offlineMs: number,
): RemoteSkillTarget {
  return {
    scope_id: scopeId,
    target_id: row.target_id,
    display_name: row.display_name,
    agent_kind: row.agent_kind as AgentKind,
    installation_scope: 'project',
    delivery_mode: 'agent_pull',
    installation_id: row.installation_id,
    state: row.state as TargetState,
    receiver_version: row.receiver_version,
    environment_fingerprint: row.environment_fingerprint,
    machine_hostname: row.machine_hostname,
    workspace_name: row.workspace_name,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    presence: presenceOf(lastSeenAt, now, offlineMs),
    generation: row.generation,
  };
}

function presenceOf(lastSeenAt: Date | null, now: Date, offlineMs: number): Presence {
  if (lastSeenAt === null) return 'unknown';
  return now.getTime() - lastSeenAt.getTime() > offlineMs ? 'offline' : 'online';
}

/** Throws 409 unless the target has the generation that its caller has read. */
export function requireGeneration({ generation, state }: TargetRow, expectedGeneration: number): void {
  if (generation === expectedGeneration) return;
  throw serviceError('remote_target_conflict', {
    details: {
      expected_generation: expectedGeneration,
      current_generation: generation,
      state: state as TargetState,
    },
  });
}

/** Throws 409 for a target that is not active. */
export function requireActive({ state }: TargetRow): void {
  if (state === 'active') return;
  throw serviceError('remote_target_conflict', {
    message:
      state === 'pending'
        ? 'The target is not enrolled yet. Enroll it first.'
        : 'The target is revoked. Create and enroll another one.',
    details: { state: state as TargetState },
  });
}

export function targetNotFound(): ServiceError {
  return serviceError('remote_target_not_found');
}

const lockStatement = statement(
  'lock_remote_target',
  `SELECT ${selectTarget} FROM remote_skill_targets t
   WHERE t.tenant_id = $1 AND t.scope_key = $2 AND t.target_id = $3 FOR NO KEY UPDATE`,
  targetColumns,
);

/**
 * Locks a target until the transaction ends. Each writer of the target or of its publications takes this lock first. Throws 404
 * `remote_target_not_found`.
 */
export async function lockTarget(
  sql: Sql,
  { tenantId, scopeId, targetId }: TargetAddress,
): Promise<{ key: TargetKey; row: TargetRow }> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) throw targetNotFound();
  const row = await sql.first(lockStatement, [tenantId, scopeKey, targetId]);
  if (row === undefined) throw targetNotFound();
  return { key: { tenantId, scopeKey, targetId }, row };
}

/** Facts that a Receiver reports about itself. Null keeps the stored value. */
interface ReceiverFacts {
  receiver_version?: string | null;
  environment_fingerprint?: string | null;
}

const contactStatement = statement(
  'contact_remote_target',
  `UPDATE remote_skill_targets SET last_seen_at = now(),
     receiver_version = coalesce($4, receiver_version),
     environment_fingerprint = coalesce($5, environment_fingerprint)
   WHERE tenant_id = $1 AND scope_key = ${scopeKey} AND target_id = $3 AND state = 'active'
   RETURNING scope_key`,
  pick(tables.remote_skill_targets, 'scope_key'),
);

/**
 * Records a contact of a Receiver, and locks its target until the transaction ends. Updates one row and no index. As the first
 * statement of a transaction, it shares the round trip of BEGIN. Throws 401 if the target was revoked meanwhile.
 */
export async function recordContact(
  sql: Sql,
  tenantId: TenantId,
  { scopeId, targetId }: RemoteTarget,
  { receiver_version = null, environment_fingerprint = null }: ReceiverFacts = {},
): Promise<TargetKey> {
  const values = [tenantId, scopeId, targetId, receiver_version, environment_fingerprint];
  const row = await sql.first(contactStatement, values);
  if (row === undefined) throw serviceError('unauthorized');
  return { tenantId, scopeKey: row.scope_key, targetId };
}
