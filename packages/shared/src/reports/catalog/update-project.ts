import type { ProjectDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { serviceError, staleVersion } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { normalizeKey } from './catalog-key.ts';
import { projectData, readProject } from './project-descriptor.ts';
import { requireFreeProjectKey } from './project-key.ts';
import { LostRaceError, retryRace } from './retry-race.ts';

/**
 * Replaces the descriptor of a Project, whose `version` is one above the expected one (spec 30 §5.3.2). An update that is the current
 * descriptor already writes nothing. Throws 404 `project_not_found`, then 409 `project_conflict` for a stale version or a key in
 * use.
 */
export function updateProject(
  database: Database,
  tenantId: TenantId,
  project: ProjectDescriptor,
): Promise<ProjectDescriptor> {
  return retryRace(async () => {
    const current = await readProject(database, tenantId, project.project_id);
    if (canonicalJson(current) === canonicalJson(project)) return current;
    const expected = project.version - 1;
    if (current.version !== expected) throw staleProject(expected, current.version);
    await requireFreeProjectKey(database, tenantId, normalizeKey(project.project_key), project.project_id);
    await writeVersion(database, tenantId, project);
    return project;
  });
}

async function writeVersion(
  database: Database,
  tenantId: TenantId,
  project: ProjectDescriptor,
): Promise<void> {
  const { project_id: projectId, version } = project;
  await database.prismaTransaction(async ({ prisma }) => {
    const { count } = await prisma.reportProject.updateMany({
      where: { tenantId, projectId, version: version - 1 },
      data: projectData(project),
    });
    if (count === 0) throw new LostRaceError();
    await prisma.reportProjectRevision.create({
      data: { tenantId, projectId, version, descriptor: project },
      select: { version: true },
    });
  });
}

function staleProject(expected: number, current: number) {
  const { message, details } = staleVersion('Project', expected, current);
  return serviceError('project_conflict', { message, details: { reason: 'stale_version', ...details } });
}
