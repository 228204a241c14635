import type { RepositoryRef, WorkspaceBinding } from '@continuity/contract/reports';
import {
  column,
  type Database,
  type PrismaTransaction,
  type Queries,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { retryRace } from './keys.ts';
import { readProject } from './project-descriptor.ts';

/** Locks the record of a workspace, if it has one, and reads the clock of the database. */
const lockStatement = statement(
  'lock_report_workspace',
  `SELECT w.version, clock_timestamp()::timestamptz(3) AS now
   FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
     SELECT version FROM report_workspaces WHERE tenant_id = $1 AND workspace_instance_id = $2 FOR NO KEY UPDATE
   ) AS w ON true`,
  { version: tables.report_workspaces.version.orNull(), now: column.timestamptz },
);

const bindingSelect = {
  workspaceInstanceId: true,
  projectId: true,
  provider: true,
  repositoryId: true,
  normalizedRemote: true,
  subpath: true,
  state: true,
  confirmedAt: true,
  version: true,
} as const;

interface BindingRow {
  workspaceInstanceId: string;
  projectId: string;
  provider: string;
  repositoryId: string | null;
  normalizedRemote: string | null;
  subpath: string | null;
  state: string;
  confirmedAt: Date;
  version: number;
}

/** An attach of a workspace; the reference is normalized. */
interface Attachment {
  workspaceId: string;
  projectId: string;
  repositoryRef: RepositoryRef;
  expectedVersion: number | null;
}

/** Reads a confirmed binding. Throws 404 `workspace_binding_not_found`. */
export async function readBinding(
  database: Database,
  tenantId: TenantId,
  workspaceId: string,
): Promise<WorkspaceBinding> {
  const binding = await findBinding(database, tenantId, workspaceId);
  if (binding?.state !== 'confirmed') throw serviceError('workspace_binding_not_found');
  return binding;
}

/**
 * Attaches a workspace to a Project (spec 30 §5.6). Throws 404 `project_not_found`, then 409 `workspace_binding_conflict`: a repeat is
 * stale.
 */
export function attachWorkspace(
  database: Database,
  tenantId: TenantId,
  { workspaceId, projectId, repositoryRef, expectedVersion }: Attachment,
): Promise<WorkspaceBinding> {
  return retryRace(async () => {
    await readProject(database, tenantId, projectId);
    return database.prismaTransaction(async (transaction) => {
      const { current, now } = await lockBinding(transaction, tenantId, workspaceId);
      requireVersion(current, expectedVersion);
      if (current?.state === 'confirmed' && current.project_id !== projectId) {
        throw attachedElsewhere(current);
      }
      const data = {
        projectId,
        provider: repositoryRef.provider,
        repositoryId: repositoryRef.repository_id,
        normalizedRemote: repositoryRef.normalized_remote,
        subpath: repositoryRef.subpath,
        state: 'confirmed',
        confirmedAt: now,
        version: (current?.version ?? 0) + 1,
      };
      const key = { tenantId, workspaceInstanceId: workspaceId };
      const row =
        current === undefined
          ? await transaction.prisma.reportWorkspace.create({
              data: { ...key, ...data },
              select: bindingSelect,
            })
          : await transaction.prisma.reportWorkspace.update({
              where: { tenantId_workspaceInstanceId: key },
              data,
              select: bindingSelect,
            });
      return toBinding(row);
    });
  });
}

/** Detaches a workspace and keeps the record. Throws 409 `workspace_binding_conflict`. */
export function detachWorkspace(
  database: Database,
  tenantId: TenantId,
  workspaceId: string,
  expectedVersion: number,
): Promise<WorkspaceBinding> {
  return database.prismaTransaction(async (transaction) => {
    const { current } = await lockBinding(transaction, tenantId, workspaceId);
    requireVersion(current, expectedVersion);
    if (current?.state !== 'confirmed') throw conflict('not_confirmed', current, expectedVersion);
    const row = await transaction.prisma.reportWorkspace.update({
      where: { tenantId_workspaceInstanceId: { tenantId, workspaceInstanceId: workspaceId } },
      data: { state: 'detached', version: current.version + 1 },
      select: bindingSelect,
    });
    return toBinding(row);
  });
}

/** Locks the record of a workspace until the transaction ends. */
async function lockBinding(
  { sql, prisma }: PrismaTransaction,
  tenantId: TenantId,
  workspaceId: string,
): Promise<{ current: WorkspaceBinding | undefined; now: Date }> {
  const locked = await sql.first(lockStatement, [tenantId, workspaceId]);
  if (locked === undefined) throw new Error('The clock of the database did not answer.');
  const current = locked.version === null ? undefined : await findBinding({ prisma }, tenantId, workspaceId);
  return { current, now: locked.now };
}

async function findBinding(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  workspaceId: string,
): Promise<WorkspaceBinding | undefined> {
  const row = await prisma.reportWorkspace.findUnique({
    where: { tenantId_workspaceInstanceId: { tenantId, workspaceInstanceId: workspaceId } },
    select: bindingSelect,
  });
  return row === null ? undefined : toBinding(row);
}

function requireVersion(current: WorkspaceBinding | undefined, expected: number | null): void {
  if (expected === (current?.version ?? null)) return;
  throw conflict(current === undefined ? 'missing' : 'stale_version', current, expected);
}

function conflict(
  reason: 'missing' | 'stale_version' | 'not_confirmed',
  current: WorkspaceBinding | undefined,
  expected: number | null,
): ServiceError {
  return serviceError('workspace_binding_conflict', {
    details: { reason, expected_version: expected, current_version: current?.version ?? null },
  });
}

function attachedElsewhere({ project_id, version }: WorkspaceBinding): ServiceError {
  return serviceError('workspace_binding_conflict', {
    message: 'The workspace is attached to another Project. Detach it first.',
    details: { reason: 'other_project', project_id, expected_version: version, current_version: version },
  });
}

function toBinding(row: BindingRow): WorkspaceBinding {
  return {
    schema: 'service.workspace-binding.v1',
    workspace_instance_id: row.workspaceInstanceId,
    project_id: row.projectId,
    repository_ref: {
      provider: row.provider as RepositoryRef['provider'],
      repository_id: row.repositoryId,
      normalized_remote: row.normalizedRemote,
      subpath: row.subpath,
    },
    state: row.state as WorkspaceBinding['state'],
    confirmed_at: row.confirmedAt.toISOString(),
    version: row.version,
  };
}
