import type {
  CatalogState,
  ExternalReference,
  NewWorkstream,
  WorkstreamDescriptor,
} from '@continuity/contract/reports';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { normalizeKey } from './keys.ts';

/** Columns of a descriptor. */
export const workstreamSelect = {
  scopeId: true,
  projectId: true,
  key: true,
  title: true,
  kind: true,
  catalogState: true,
  externalRefs: true,
  labels: true,
  version: true,
} as const;

interface WorkstreamRow {
  scopeId: string;
  projectId: string;
  key: string | null;
  title: string;
  kind: string;
  catalogState: string;
  externalRefs: unknown;
  labels: string[];
  version: number;
}

/** Converts a row to a descriptor. */
export function toWorkstream(row: WorkstreamRow): WorkstreamDescriptor {
  return {
    schema: 'service.workstream.v1',
    scope_id: row.scopeId,
    project_id: row.projectId,
    key: row.key,
    title: row.title,
    kind: row.kind as WorkstreamDescriptor['kind'],
    catalog_state: row.catalogState as CatalogState,
    external_refs: (row.externalRefs as ExternalReference[]).map(inOrder),
    labels: row.labels,
    version: row.version,
  };
}

/** The first version of a Workstream. */
export function firstWorkstream(workstream: NewWorkstream): WorkstreamDescriptor {
  return { schema: 'service.workstream.v1', ...workstream, version: 1 };
}

/** The columns that store a descriptor, without its Scope and Project. */
export function workstreamData(workstream: WorkstreamDescriptor) {
  return {
    key: workstream.key,
    normalizedKey: workstream.key === null ? null : normalizeKey(workstream.key),
    title: workstream.title,
    kind: workstream.kind,
    catalogState: workstream.catalog_state,
    externalRefs: workstream.external_refs,
    labels: workstream.labels,
    version: workstream.version,
  };
}

/** Reads the Workstream of a Scope, archived or not; undefined if the Scope is not registered. */
export async function findWorkstream(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  scopeId: string,
): Promise<WorkstreamDescriptor | undefined> {
  const row = await prisma.reportWorkstream.findUnique({
    where: { tenantId_scopeId: { tenantId, scopeId } },
    select: workstreamSelect,
  });
  return row === null ? undefined : toWorkstream(row);
}

/** `jsonb` does not preserve the order of keys. */
function inOrder({ kind, provider, external_id, url }: ExternalReference): ExternalReference {
  return { kind, provider, external_id, url };
}
