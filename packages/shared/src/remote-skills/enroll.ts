import type { AgentKind } from '@continuity/contract/skill-format';
import { deploymentStatement, pick, tables } from '@continuity/kernel/database';
import { isUniqueViolation, type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { BodyOf } from './bodies.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { hashSecret, isSameHash, newCredential } from './secrets.ts';
import { selectTarget, targetColumns } from './target.ts';

/** The code identifies tenant and target. A concurrent call with the same code waits for the lock, and then finds no row. */
const lockByCodeStatement = deploymentStatement(
  'lock_remote_target_by_code',
  `SELECT ${selectTarget}, t.tenant_id, t.scope_key, t.enrollment_code_hash, t.enrollment_expires_at, s.scope_id
   FROM remote_skill_targets t JOIN scopes s ON s.tenant_id = t.tenant_id AND s.scope_key = t.scope_key
   WHERE t.enrollment_code_hash = $1 FOR NO KEY UPDATE OF t`,
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
