import { randomBytes, timingSafeEqual } from 'node:crypto';
import { codePrefix, credentialPrefix } from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/contract/skill-format';
import {
  type Database,
  deploymentStatement,
  isReadableHere,
  isWritableHere,
  pick,
  type Sql,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation, type ServiceError, serviceError } from '@continuity/kernel/errors';
import { hashHex } from '@continuity/kernel/json';
import type { RemoteTarget } from '@continuity/shared/handlers';
import type { BodyOf, RemoteSkillDeps } from './deps.ts';
import { selectTarget, targetColumns } from './target.ts';

// The database stores only the SHA-256 of codes and credentials. They have 256 random bits, so they need no slow hash.

/** Makes a one-time enrollment code. */
export function newCode(): string {
  return codePrefix + randomBytes(32).toString('base64url');
}

/** Makes a credential. */
export function newCredential(): string {
  return `${credentialPrefix}${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`;
}

const credentialPattern = new RegExp(`^${credentialPrefix}[0-9a-f]{32}\\.[A-Za-z0-9_-]{43}$`);

/** Whether a token has the form of a credential. Any other token is rejected without a query. */
export function isCredential(token: string): boolean {
  return credentialPattern.test(token);
}

export function hashSecret(secret: string): string {
  return hashHex(secret);
}

/** Compares two hashes in constant time. */
export function isSameHash(left: string | null, right: string): boolean {
  return left?.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/**
 * The credential identifies tenant and target. `IS TRUE` keeps the partial index of active targets out of the plan: a plan that was made
 * while the table was empty would read every active target.
 */
const findStatement = deploymentStatement(
  'find_remote_target_by_credential',
  `SELECT t.tenant_id, t.target_id, t.credential_hash, s.scope_id
   FROM remote_skill_targets t JOIN scopes s ON s.tenant_id = t.tenant_id AND s.scope_key = t.scope_key
   WHERE t.credential_hash = $1 AND (t.state = 'active') IS TRUE AND ${isReadableHere('t.tenant_id')}`,
  {
    ...pick(tables.remote_skill_targets, 'tenant_id', 'target_id', 'credential_hash'),
    ...pick(tables.scopes, 'scope_id'),
  },
);

/** The target of a credential. */
export interface CredentialHolder {
  tenantId: TenantId;
  target: RemoteTarget;
}

/** Finds the active target of a credential; undefined for any other token. Not cached, so that a revocation takes effect at once. */
export async function findCredentialHolder(sql: Sql, token: string): Promise<CredentialHolder | undefined> {
  if (!isCredential(token)) return undefined;
  const hash = hashSecret(token);
  const row = await sql.first(findStatement, [hash]);
  if (row === undefined || !isSameHash(row.credential_hash, hash)) return undefined;
  const { tenant_id: tenantId, scope_id: scopeId, target_id: targetId } = row;
  return { tenantId, target: { scopeId, targetId } };
}

/** The code identifies tenant and target. A concurrent call with the same code waits for the lock, and then finds no row. */
const lockByCodeStatement = deploymentStatement(
  'lock_remote_target_by_code',
  `SELECT ${selectTarget}, t.tenant_id, t.scope_key, t.enrollment_code_hash, t.enrollment_expires_at, s.scope_id
   FROM remote_skill_targets t JOIN scopes s ON s.tenant_id = t.tenant_id AND s.scope_key = t.scope_key
   WHERE t.enrollment_code_hash = $1 AND ${isReadableHere('t.tenant_id')} FOR NO KEY UPDATE OF t`,
  {
    ...targetColumns,
    ...pick(
      tables.remote_skill_targets,
      'tenant_id',
      'scope_key',
      'enrollment_code_hash',
      'enrollment_expires_at',
    ),
    ...pick(tables.scopes, 'scope_id'),
  },
);

/**
 * Redeems an enrollment code for a credential, once (spec 40 §9). Throws the same 409 `enrollment_invalid` for each code that cannot be
 * redeemed.
 */
export async function enrollTarget(
  { database }: Pick<RemoteSkillDeps, 'database'>,
  body: BodyOf<'enroll_remote_skill_target'>,
) {
  const codeHash = hashSecret(body.enrollment_code);
  const credential = newCredential();
  // The tenant is unknown until the code is found, so its own limit cannot apply.
  const limited = database.limitedBy('enroll_remote_skill_target');
  const enroll = limited.prismaTransaction(async ({ prisma, sql }) => {
    const row = await sql.first(lockByCodeStatement, [codeHash]);
    if (row === undefined || !isSameHash(row.enrollment_code_hash, codeHash)) throw invalid();
    if (row.state !== 'pending' || row.enrollment_expires_at <= row.now) throw invalid();
    const { tenant_id: tenantId, scope_key: scopeKey, scope_id, target_id, agent_kind } = row;
    await prisma.remoteSkillTarget.update({
      where: { tenantId_scopeKey_targetId: { tenantId, scopeKey, targetId: target_id } },
      data: {
        state: 'active',
        generation: row.generation + 1,
        enrollmentCodeHash: null,
        credentialHash: hashSecret(credential),
        installationId: body.installation_id,
        receiverVersion: body.receiver_version,
        environmentFingerprint: body.environment_fingerprint,
        machineHostname: body.machine_hostname,
        workspaceName: body.workspace_name,
        lastSeenAt: row.now,
      },
      select: { targetId: true },
    });
    return { scope_id, target_id, agent_kind: agent_kind as AgentKind, credential };
  });
  return enroll.catch((error: unknown) => {
    throw isUniqueViolation(error, 'remote_skill_targets_installation') ? invalid() : error;
  });
}

function invalid(): ServiceError {
  return serviceError('enrollment_invalid');
}

/** Limit of the targets of one batch. */
const batchSize = 500;

/** Expires a batch of pending targets. An advisory lock lets one worker run it at a time. Skips a target that is enrolling. */
const expireStatement = deploymentStatement(
  'expire_remote_targets',
  `WITH turn AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock(hashtextextended('expire_remote_targets', 0)) AS is_mine
   ), due AS (
     SELECT tenant_id, scope_key, target_id FROM remote_skill_targets
     WHERE (SELECT is_mine FROM turn) AND state = 'pending' AND enrollment_expires_at <= now()
       AND ${isWritableHere('remote_skill_targets.tenant_id')}
     ORDER BY enrollment_expires_at LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE remote_skill_targets t SET state = 'revoked', generation = generation + 1, enrollment_code_hash = NULL
   FROM due WHERE t.tenant_id = due.tenant_id AND t.scope_key = due.scope_key AND t.target_id = due.target_id
   RETURNING t.target_id`,
  pick(tables.remote_skill_targets, 'target_id'),
);

/** Revokes the pending targets of all tenants whose code has expired (spec 40 §8). Each batch commits alone. Safe to repeat. */
export async function expireCodes(database: Database): Promise<void> {
  for (;;) {
    const expired = await database.sql.rows(expireStatement, []);
    if (expired.length < batchSize) return;
  }
}
