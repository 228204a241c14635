import type { NewWorkstream, WorkstreamDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { invalidRequest, type ServiceError, serviceError, staleVersion } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { ensureScope } from '../../scopes/index.ts';
import { LostRaceError, requireFreeWorkstreamKey, retryRace } from './keys.ts';
import { readProject } from './project-descriptor.ts';
import { findWorkstream, firstWorkstream, workstreamData } from './workstream-descriptor.ts';

/**
 * Registers a Scope in a Project, and creates an unknown Scope (spec 30 §5.3). A repeat with the same values answers as the first
 * time, while the Workstream is at version 1. Throws 404 `project_not_found`, then 409 `workstream_conflict`.
 */
export function registerWorkstream(
  database: Database,
  tenantId: TenantId,
  requested: NewWorkstream,
): Promise<WorkstreamDescriptor> {
  const workstream = firstWorkstream(requested);
  return retryRace(async () => {
    await readProject(database, tenantId, requested.project_id);
    const registered = await findWorkstream(database, tenantId, requested.scope_id);
    if (registered !== undefined) {
      if (canonicalJson(registered) === canonicalJson(workstream)) return registered;
      throw alreadyRegistered(registered, requested.project_id);
    }
    await requireFreeWorkstreamKey(database, tenantId, workstream);
    await insertWorkstream(database, tenantId, workstream);
    return workstream;
  });
}

async function insertWorkstream(
  database: Database,
  tenantId: TenantId,
  workstream: WorkstreamDescriptor,
): Promise<void> {
  const { scope_id: scopeId, project_id: projectId, version } = workstream;
  await database.prismaTransaction(async ({ sql, prisma }) => {
    await ensureScope(sql, tenantId, scopeId);
    await prisma.reportWorkstream.create({
      data: { tenantId, scopeId, projectId, ...workstreamData(workstream) },
      select: { version: true },
    });
    await prisma.reportWorkstreamRevision.create({
      data: { tenantId, scopeId, version, descriptor: workstream },
      select: { version: true },
    });
  });
}

function alreadyRegistered(
  { scope_id, project_id, version }: WorkstreamDescriptor,
  requestedProject: string,
): ServiceError {
  if (project_id !== requestedProject) {
    return serviceError('workstream_conflict', {
      message: 'The Scope belongs to another Project, for good.',
      details: { reason: 'scope_already_grouped', scope_id, project_id },
    });
  }
  return serviceError('workstream_conflict', {
    message: 'The Scope is registered in this Project already. Update the Workstream.',
    details: { reason: 'scope_already_registered', scope_id, project_id, current_version: version },
  });
}

/**
 * Replaces the descriptor of a Workstream, whose `version` is one above the expected one (spec 30 §5.3.2). An update that is the
 * current descriptor already writes nothing. Throws 404 `workstream_not_found`, 422 for another Project, then 409
 * `workstream_conflict` for a stale version or a key in use.
 */
export function updateWorkstream(
  database: Database,
  tenantId: TenantId,
  workstream: WorkstreamDescriptor,
): Promise<WorkstreamDescriptor> {
  return retryRace(async () => {
    const current = await findWorkstream(database, tenantId, workstream.scope_id);
    if (current === undefined) throw serviceError('workstream_not_found');
    if (current.project_id !== workstream.project_id) {
      throw invalidRequest([
        {
          path: 'workstream.project_id',
          message: 'must be the Project of the Workstream, which never changes',
        },
      ]);
    }
    if (canonicalJson(current) === canonicalJson(workstream)) return current;
    const expected = workstream.version - 1;
    if (current.version !== expected) throw staleWorkstream(expected, current.version);
    await requireFreeWorkstreamKey(database, tenantId, workstream);
    await writeVersion(database, tenantId, workstream);
    return workstream;
  });
}

async function writeVersion(
  database: Database,
  tenantId: TenantId,
  workstream: WorkstreamDescriptor,
): Promise<void> {
  const { scope_id: scopeId, version } = workstream;
  await database.prismaTransaction(async ({ prisma }) => {
    const { count } = await prisma.reportWorkstream.updateMany({
      where: { tenantId, scopeId, version: version - 1 },
      data: workstreamData(workstream),
    });
    if (count === 0) throw new LostRaceError();
    await prisma.reportWorkstreamRevision.create({
      data: { tenantId, scopeId, version, descriptor: workstream },
      select: { version: true },
    });
  });
}

function staleWorkstream(expected: number, current: number) {
  const { message, details } = staleVersion('Workstream', expected, current);
  return serviceError('workstream_conflict', { message, details: { reason: 'stale_version', ...details } });
}
