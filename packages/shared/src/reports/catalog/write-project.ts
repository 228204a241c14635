import type { NewProject, ProjectDescriptor } from '@continuity/contract/reports';
import type { Database, TenantId } from '@continuity/kernel/database';
import { serviceError, staleVersion } from '@continuity/kernel/errors';
import { canonicalJson, digestBytes } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { usedKeyMessage } from '../../idempotency/index.ts';
import { LostRaceError, normalizeKey, requireFreeProjectKey, retryRace } from './keys.ts';
import { projectData, projectSelect, readProject, toProject } from './project-descriptor.ts';

/**
 * Creates a Project, once for each idempotency key of the tenant (spec 30 §5.3.5). A repeat answers the Project as it is when it
 * arrives. Throws 409 `project_conflict` for an idempotency key that was used with another body, then for a project key in use.
 */
export function createProject(
  database: Database,
  tenantId: TenantId,
  project: NewProject,
  idempotencyKey: string | undefined,
): Promise<ProjectDescriptor> {
  const bodyDigest = digestBytes(project);
  const findFirst = async () =>
    idempotencyKey === undefined
      ? undefined
      : await findCreated(database, tenantId, idempotencyKey, bodyDigest);
  return retryRace(async () => {
    const created = await findFirst();
    if (created !== undefined) return created;
    try {
      await requireFreeProjectKey(database, tenantId, normalizeKey(project.project_key), null);
    } catch (conflict) {
      // An equal request may have created the Project since the first look.
      const concurrent = await findFirst();
      if (concurrent === undefined) throw conflict;
      return concurrent;
    }
    const descriptor: ProjectDescriptor = {
      schema: 'service.project.v1',
      project_id: newId(),
      ...project,
      catalog_state: 'included',
      version: 1,
    };
    await insertProject(database, tenantId, descriptor, idempotencyKey, bodyDigest);
    return descriptor;
  });
}

async function findCreated(
  { prisma }: Database,
  tenantId: TenantId,
  idempotencyKey: string,
  bodyDigest: Buffer<ArrayBuffer>,
): Promise<ProjectDescriptor | undefined> {
  const creation = await prisma.reportProjectCreation.findUnique({
    where: { tenantId_idempotencyKey: { tenantId, idempotencyKey } },
    select: { bodyDigest: true, project: { select: projectSelect } },
  });
  if (creation === null) return undefined;
  if (creation.bodyDigest.equals(bodyDigest)) return toProject(creation.project);
  throw serviceError('project_conflict', {
    message: usedKeyMessage,
    details: { reason: 'idempotency_key', project_id: creation.project.projectId },
  });
}

async function insertProject(
  database: Database,
  tenantId: TenantId,
  project: ProjectDescriptor,
  idempotencyKey: string | undefined,
  bodyDigest: Buffer<ArrayBuffer>,
): Promise<void> {
  const { project_id: projectId, version } = project;
  const select = { projectId: true } as const;
  await database.prismaTransaction(async ({ prisma }) => {
    await prisma.reportProject.create({ data: { tenantId, projectId, ...projectData(project) }, select });
    await prisma.reportProjectRevision.create({
      data: { tenantId, projectId, version, descriptor: project },
      select,
    });
    await prisma.reportActivitySequence.create({ data: { tenantId, projectId }, select });
    if (idempotencyKey === undefined) return;
    await prisma.reportProjectCreation.create({
      data: { tenantId, idempotencyKey, bodyDigest, projectId },
      select,
    });
  });
}

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
