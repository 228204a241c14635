import type { ExternalReference, WorkstreamDescriptor } from '@continuity/contract/reports';
import type { ScopeDescriptor } from '@continuity/contract/scopes';
import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import type { PlannedEntry } from './plan.ts';

const scopesStatement = statement(
  'read_report_scopes',
  `SELECT scope_id, title, summary, parent_scope_id, context_references, external_references, version
   FROM scopes WHERE tenant_id = $1 AND scope_key = ANY ($2::bigint[])`,
  {
    ...pick(
      tables.scopes,
      'scope_id',
      'title',
      'summary',
      'parent_scope_id',
      'context_references',
      'version',
    ),
    external_references: tables.scopes.external_references.as<ScopeDescriptor['external_references']>(),
  },
);

const workstreamsStatement = statement(
  'read_report_workstreams',
  `SELECT scope_id, project_id, key, title, kind, catalog_state, external_refs, labels, version
   FROM report_workstreams WHERE tenant_id = $1 AND scope_id = ANY ($2::text[])`,
  {
    ...pick(tables.report_workstreams, 'scope_id', 'project_id', 'key', 'title', 'labels', 'version'),
    kind: tables.report_workstreams.kind.as<WorkstreamDescriptor['kind']>(),
    catalog_state: tables.report_workstreams.catalog_state.as<WorkstreamDescriptor['catalog_state']>(),
    external_refs: tables.report_workstreams.external_refs.as<ExternalReference[]>(),
  },
);

/** The descriptors of the entries by `scope_id`. */
interface ReadDescriptors {
  scopes: Map<string, ScopeDescriptor>;
  workstreams: Map<string, WorkstreamDescriptor>;
}

/** Reads the descriptors of Scopes, and those of the Workstreams among them. One round trip. */
export async function readDescriptors(
  sql: Sql,
  tenantId: TenantId,
  entries: readonly PlannedEntry[],
): Promise<ReadDescriptors> {
  const registered = entries.filter(({ workstreamRevision }) => workstreamRevision !== null);
  const [scopes, workstreams] = await Promise.all([
    sql.rows(scopesStatement, [tenantId, entries.map(({ scopeKey }) => scopeKey)]),
    registered.length === 0
      ? []
      : sql.rows(workstreamsStatement, [tenantId, registered.map(({ scopeId }) => scopeId)]),
  ]);
  return {
    scopes: new Map(scopes.map((row) => [row.scope_id, row])),
    workstreams: new Map(
      workstreams.map((row) => [row.scope_id, { schema: 'service.workstream.v1' as const, ...row }]),
    ),
  };
}
