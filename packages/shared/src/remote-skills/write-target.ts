import { randomBytes } from 'node:crypto';
import { maxTargets, type RemoteSkillTarget } from '@continuity/contract/remote-skills';
import { trimWhite } from '@continuity/contract/text';
import { column, type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { ensureScope } from '../scopes/index.ts';
import type { BodyOf, RemoteSkillDeps } from './deps.ts';
import { hashSecret, newCode } from './enroll.ts';
import { lockTarget, presentTarget, requireGeneration } from './target.ts';

const lockScopeStatement = statement(
  'lock_scope_of_remote_targets',
  'SELECT now() AS now FROM scopes WHERE tenant_id = $1 AND scope_key = $2 FOR NO KEY UPDATE',
  { now: column.timestamptz },
);

/** Registers a target with a fresh enrollment code. Throws 409 `remote_target_conflict` for too many targets. */
export async function createTarget(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  { scope_id: scopeId, agent_kind, display_name }: BodyOf<'create_remote_skill_target'>,
) {
  const code = newCode();
  const targetId = newTargetId(agent_kind);
  const displayName = trimWhite(display_name);
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const scopeKey = await ensureScope(sql, tenantId, scopeId);
    const now = await lockScope(sql, tenantId, scopeKey);
    const count = await prisma.remoteSkillTarget.count({
      where: { tenantId, scopeKey, state: { not: 'revoked' } },
    });
    if (count >= maxTargets) throw tooMany();
    const expiresAt = new Date(now.getTime() + settings.REMOTE_ENROLLMENT_TTL_MS);
    const created = await prisma.remoteSkillTarget.create({
      data: {
        tenantId,
        scopeKey,
        targetId,
        displayName,
        agentKind: agent_kind,
        enrollmentCodeHash: hashSecret(code),
        enrollmentExpiresAt: expiresAt,
      },
      select: { state: true, generation: true },
    });
    const row = {
      ...created,
      target_id: targetId,
      display_name: displayName,
      agent_kind,
      installation_id: null,
      receiver_version: null,
      environment_fingerprint: null,
      machine_hostname: null,
      workspace_name: null,
      last_seen_at: null,
      now,
    };
    return {
      target: presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS),
      enrollment_code: code,
      enrollment_expires_at: expiresAt.toISOString(),
    };
  });
}

/** Locks a Scope until the transaction ends, so that concurrent creates cannot pass the limit. Returns the time of the database. */
async function lockScope(sql: Sql, tenantId: TenantId, scopeKey: ScopeKey): Promise<Date> {
  const row = await sql.first(lockScopeStatement, [tenantId, scopeKey]);
  if (row === undefined) throw new Error('A Scope that was just found does not exist.');
  return row.now;
}

function newTargetId(agentKind: string): string {
  return `${agentKind.replaceAll('_', '-')}-${randomBytes(6).toString('hex')}`;
}

function tooMany() {
  return serviceError('remote_target_conflict', {
    message: `The Scope has ${maxTargets} targets that are not revoked. Revoke those that are gone.`,
    details: { reason: 'limit' },
  });
}

/** Renames a target. Throws 404 `remote_target_not_found` and 409 `remote_target_conflict`. */
export async function renameTarget(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'rename_remote_skill_target'>,
): Promise<RemoteSkillTarget> {
  const { scope_id: scopeId, target_id: targetId } = body;
  const displayName = trimWhite(body.display_name);
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireGeneration(row, body.expected_generation);
    if (row.display_name === displayName) return presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS);
    const generation = row.generation + 1;
    await prisma.remoteSkillTarget.update({
      where: { tenantId_scopeKey_targetId: key },
      data: { displayName, generation },
      select: { targetId: true },
    });
    const renamed = { ...row, display_name: displayName, generation };
    return presentTarget(renamed, scopeId, settings.REMOTE_OFFLINE_MS);
  });
}

/**
 * Revokes a target. Its code and its credential are refused from the commit on. Throws 404 `remote_target_not_found` and 409
 * `remote_target_conflict`.
 */
export async function revokeTarget(
  { database, settings }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'revoke_remote_skill_target'>,
): Promise<RemoteSkillTarget> {
  const { scope_id: scopeId, target_id: targetId } = body;
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireGeneration(row, body.expected_generation);
    if (row.state === 'revoked') return presentTarget(row, scopeId, settings.REMOTE_OFFLINE_MS);
    const changed = { state: 'revoked', generation: row.generation + 1 };
    await prisma.remoteSkillTarget.update({
      where: { tenantId_scopeKey_targetId: key },
      data: { ...changed, enrollmentCodeHash: null, credentialHash: null },
      select: { targetId: true },
    });
    return presentTarget({ ...row, ...changed }, scopeId, settings.REMOTE_OFFLINE_MS);
  });
}
