import type { NewWorkstream, WorkstreamDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { ensureScope } from '../../scopes/index.ts';
import { readProject } from './project-descriptor.ts';
import { retryRace } from './retry-race.ts';
import { findWorkstream, firstWorkstream, workstreamData } from './workstream-descriptor.ts';
import { requireFreeWorkstreamKey } from './workstream-key.ts';

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
