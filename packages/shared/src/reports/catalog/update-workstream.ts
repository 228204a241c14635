import type { WorkstreamDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { invalidRequest, serviceError, staleVersion } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { LostRaceError, retryRace } from './retry-race.ts';
import { findWorkstream, workstreamData } from './workstream-descriptor.ts';
import { requireFreeWorkstreamKey } from './workstream-key.ts';

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
