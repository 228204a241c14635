import type { CatalogState, ProjectDescriptor, ReportLocale } from '@continuity/contract/reports';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';
import { normalizeKey } from './keys.ts';

/** Columns of a descriptor. */
export const projectSelect = {
  projectId: true,
  projectKey: true,
  title: true,
  description: true,
  defaultLocale: true,
  timezone: true,
  catalogState: true,
  version: true,
} as const;

interface ProjectRow {
  projectId: string;
  projectKey: string;
  title: string;
  description: string | null;
  defaultLocale: string;
  timezone: string;
  catalogState: string;
  version: number;
}

/** Converts a row to a descriptor. */
export function toProject(row: ProjectRow): ProjectDescriptor {
  return {
    schema: 'service.project.v1',
    project_id: row.projectId,
    project_key: row.projectKey,
    title: row.title,
    description: row.description,
    default_locale: row.defaultLocale as ReportLocale,
    timezone: row.timezone,
    catalog_state: row.catalogState as CatalogState,
    version: row.version,
  };
}

/** The columns that store a descriptor, without its id. */
export function projectData(project: ProjectDescriptor) {
  return {
    projectKey: project.project_key,
    normalizedKey: normalizeKey(project.project_key),
    title: project.title,
    description: project.description,
    defaultLocale: project.default_locale,
    timezone: project.timezone,
    catalogState: project.catalog_state,
    version: project.version,
  };
}

/** Reads a Project, archived or not. Throws 404 `project_not_found`. */
export async function readProject(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  projectId: string,
): Promise<ProjectDescriptor> {
  if (isServerId(projectId)) {
    const row = await prisma.reportProject.findUnique({
      where: { tenantId_projectId: { tenantId, projectId } },
      select: projectSelect,
    });
    if (row !== null) return toProject(row);
  }
  throw serviceError('project_not_found');
}
