import type { ReportSelectionEntry } from '@continuity/contract/reports';
import {
  type ArtifactKey,
  column,
  optimizationFence,
  pick,
  type RowOfStatement,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { handoffRefOrNull } from '../../evidence/index.ts';
import { selectedStates } from './project.ts';

type Disposition = 'continuable' | 'blocked' | 'complete';

/** The selection of one Scope for a report, without its texts. */
export interface PlannedEntry {
  scopeId: string;
  scopeKey: ScopeKey;
  scopeVersion: number;
  workstreamRevision: number | null;
  artifactKey: ArtifactKey | null;
  /** The selected revision of the Handoff. */
  selected: PlannedRevision | null;
  /** The last revision before the period. */
  baseline: PlannedRevision | null;
  /** Bytes of the content, the descriptor of the Scope and the summaries of its work records. */
  bytes: { content: number; descriptor: number; events: number };
}

/** A revision of a Handoff. */
interface PlannedRevision {
  revision: number;
  disposition: Disposition;
  committedAt: Date;
}

/** Times that select revisions: those committed before `end`, and for a comparison before `start`. Null: the present. */
interface RevisionTimes {
  end: Date | null;
  start: Date | null;
}

const scopeColumns = 'tenant_id, scope_key, scope_id, version, descriptor_bytes';

/** Reads one index row, whatever the number of revisions: times never decrease along them. */
const revisionBefore = (time: string) =>
  `LATERAL (
     SELECT s.revision, s.disposition, s.content_bytes, s.committed_at FROM handoff_summaries s
     WHERE s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.revision > 0 AND s.committed_at < ${time}
     ORDER BY s.committed_at DESC, s.revision DESC LIMIT 1
   )`;

const planned = `c.scope_id, c.scope_key, c.version AS scope_version, c.descriptor_bytes, w.version AS workstream_revision,
   a.artifact_key, h.revision, h.disposition, h.content_bytes, h.committed_at,
   b.revision AS baseline_revision, b.disposition AS baseline_disposition, b.committed_at AS baseline_committed_at,
   (SELECT coalesce(sum(octet_length(r.summary)), 0)::bigint FROM (
      SELECT summary FROM work_records r
      WHERE r.tenant_id = c.tenant_id AND r.scope_key = c.scope_key AND r.status IS NOT NULL
      ORDER BY r.position DESC LIMIT 64) AS r) AS event_bytes`;

const handoffs = `LEFT JOIN LATERAL (
     SELECT tenant_id, artifact_key FROM artifacts
     WHERE tenant_id = c.tenant_id AND scope_key = c.scope_key AND family = 'handoff' AND artifact_id = 'handoff'
     ${optimizationFence}
   ) AS a ON true
   LEFT JOIN ${revisionBefore("coalesce($3::timestamptz, 'infinity')")} AS h ON true
   LEFT JOIN ${revisionBefore("coalesce($4::timestamptz, '-infinity')")} AS b ON true`;

const columns = {
  ...pick(tables.scopes, 'scope_id', 'scope_key', 'descriptor_bytes'),
  scope_version: tables.scopes.version,
  workstream_revision: tables.report_workstreams.version.orNull(),
  artifact_key: tables.artifacts.artifact_key.orNull(),
  revision: tables.handoff_summaries.revision.orNull(),
  disposition: tables.handoff_summaries.disposition.orNull().as<Disposition>(),
  content_bytes: tables.handoff_summaries.content_bytes.orNull(),
  committed_at: tables.handoff_summaries.committed_at.orNull(),
  baseline_revision: tables.handoff_summaries.revision.orNull(),
  baseline_disposition: tables.handoff_summaries.disposition.orNull().as<Disposition>(),
  baseline_committed_at: tables.handoff_summaries.committed_at.orNull(),
  event_bytes: column.bigint,
};

const planProject = statement(
  'plan_project_report',
  `SELECT ${planned}
   FROM report_workstreams w CROSS JOIN LATERAL (
     SELECT ${scopeColumns} FROM scopes WHERE tenant_id = w.tenant_id AND scope_id = w.scope_id ${optimizationFence}
   ) AS c
   ${handoffs}
   WHERE w.tenant_id = $1 AND w.project_id = $2 AND w.catalog_state = ANY ($5::text[])
   ORDER BY w.scope_id`,
  columns,
);

const planScopes = statement(
  'plan_scope_report',
  `SELECT ${planned}
   FROM unnest($2::bigint[]) WITH ORDINALITY AS i(scope_key, n) CROSS JOIN LATERAL (
     SELECT ${scopeColumns} FROM scopes WHERE tenant_id = $1 AND scope_key = i.scope_key ${optimizationFence}
   ) AS c LEFT JOIN LATERAL (
     SELECT version FROM report_workstreams WHERE tenant_id = c.tenant_id AND scope_id = c.scope_id ${optimizationFence}
   ) AS w ON true
   ${handoffs}
   ORDER BY i.n`,
  columns,
);

/** Plans the entries of a Project's Workstreams, by ascending `scope_id`. */
export async function planOfProject(
  sql: Sql,
  tenantId: TenantId,
  projectId: string,
  { includeArchived, end, start }: RevisionTimes & { includeArchived: boolean },
): Promise<PlannedEntry[]> {
  const values = [tenantId, projectId, end, start, selectedStates(includeArchived)];
  return (await sql.rows(planProject, values)).map(toPlanned);
}

/** Plans the entries of selected Scopes, in their order. */
export async function planOfScopes(
  sql: Sql,
  tenantId: TenantId,
  scopeKeys: readonly ScopeKey[],
): Promise<PlannedEntry[]> {
  return (await sql.rows(planScopes, [tenantId, scopeKeys, null, null])).map(toPlanned);
}

function toPlanned(row: RowOfStatement<typeof planScopes>): PlannedEntry {
  return {
    scopeId: row.scope_id,
    scopeKey: row.scope_key,
    scopeVersion: row.scope_version,
    workstreamRevision: row.workstream_revision,
    artifactKey: row.artifact_key,
    selected: revisionOf(row.revision, row.disposition, row.committed_at),
    baseline: revisionOf(row.baseline_revision, row.baseline_disposition, row.baseline_committed_at),
    bytes: { content: row.content_bytes ?? 0, descriptor: row.descriptor_bytes, events: row.event_bytes },
  };
}

function revisionOf(
  revision: number | null,
  disposition: Disposition | null,
  committedAt: Date | null,
): PlannedRevision | null {
  if (revision === null || disposition === null || committedAt === null) return null;
  return { revision, disposition, committedAt };
}

/** The entry of a report's selection for a revision and a Source position of a planned Scope. */
export function selectionEntry(
  { scopeId, scopeVersion, workstreamRevision }: PlannedEntry,
  revision: PlannedRevision | null,
  sourcePosition: number,
): ReportSelectionEntry {
  return {
    scope_id: scopeId,
    scope_version: scopeVersion,
    workstream_revision: workstreamRevision,
    source_position: sourcePosition,
    status: revision === null ? 'no_handoff' : 'selected',
    handoff_ref: handoffRefOrNull(revision?.revision),
  };
}
