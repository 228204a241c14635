import type { HandoffContent } from '@continuity/contract/handoff';
import { type HandoffRevisionSummary, maxReportRevisions } from '@continuity/contract/reports';
import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { asDigest } from '@continuity/kernel/json';
import { handoffRef } from '../../evidence/index.ts';
import type { SelectedHandoff } from '../content/entry.ts';
import type { PlannedEntry } from './plan.ts';

const revisions = 'unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS i(artifact_key, revision, n)';

const contentsStatement = statement(
  'read_report_contents',
  `SELECT i.n::int AS place, r.content, encode(r.content_digest, 'hex') AS content_digest, p.origin_scope_id
   FROM ${revisions}
   JOIN artifact_revisions r ON r.tenant_id = $1 AND r.artifact_key = i.artifact_key AND r.revision = i.revision
   LEFT JOIN artifact_publications p ON p.tenant_id = $1 AND p.artifact_key = i.artifact_key AND i.revision = 1`,
  {
    place: column.integer,
    content: tables.artifact_revisions.content,
    content_digest: column.text,
    origin_scope_id: tables.artifact_publications.origin_scope_id.orNull(),
  },
);

const historiesStatement = statement(
  'read_report_histories',
  `SELECT i.n::int AS place, h.*
   FROM ${revisions}
   CROSS JOIN LATERAL (
     SELECT s.revision, s.disposition, s.objective_excerpt, s.next_action_excerpt, s.state_count, s.omission_count, s.committed_at
     FROM handoff_summaries s
     WHERE s.tenant_id = $1 AND s.artifact_key = i.artifact_key AND s.revision <= i.revision
     ORDER BY s.revision DESC LIMIT ${maxReportRevisions}
   ) AS h
   ORDER BY i.n, h.revision`,
  {
    place: column.integer,
    ...pick(
      tables.handoff_summaries,
      'revision',
      'objective_excerpt',
      'next_action_excerpt',
      'state_count',
      'omission_count',
      'committed_at',
    ),
    disposition: tables.handoff_summaries.disposition.as<HandoffRevisionSummary['disposition']>(),
  },
);

/** A selected revision, and the Scope whose evidence it cites: for a published one its origin (spec 30 §3). */
export interface ReadHandoff extends SelectedHandoff {
  evidenceScopeId: string;
}

/** Reads the selected revision of each entry that has one, with its history. One round trip. */
export async function readHandoffs(
  sql: Sql,
  tenantId: TenantId,
  entries: readonly PlannedEntry[],
): Promise<Map<string, ReadHandoff>> {
  const chosen = entries.flatMap(({ scopeId, artifactKey, selected }) =>
    artifactKey === null || selected === null ? [] : [{ scopeId, artifactKey, ...selected }],
  );
  if (chosen.length === 0) return new Map();
  const values = [
    tenantId,
    chosen.map(({ artifactKey }) => artifactKey),
    chosen.map(({ revision }) => revision),
  ];
  const [contents, histories] = await Promise.all([
    sql.rows(contentsStatement, values),
    sql.rows(historiesStatement, values),
  ]);
  const contentOf = new Map(contents.map((row) => [row.place, row]));
  const historyOf = Map.groupBy(histories, ({ place }) => place);
  return new Map(
    chosen.map(({ scopeId, revision, committedAt }, index) => {
      const row = contentOf.get(index + 1);
      if (row?.content == null) throw new Error('A selected revision of a Handoff has no content.');
      const handoff: ReadHandoff = {
        revision,
        content: JSON.parse(row.content) as HandoffContent,
        contentDigest: asDigest(row.content_digest),
        committedAt: committedAt.toISOString(),
        history: (historyOf.get(index + 1) ?? []).map(toSummary),
        evidenceScopeId: row.origin_scope_id ?? scopeId,
      };
      return [scopeId, handoff];
    }),
  );
}

type SummaryRow = Omit<HandoffRevisionSummary, 'reference' | 'committed_at'> & {
  revision: number;
  committed_at: Date;
};

function toSummary(row: SummaryRow): HandoffRevisionSummary {
  return {
    reference: handoffRef(row.revision),
    objective_excerpt: row.objective_excerpt,
    disposition: row.disposition,
    next_action_excerpt: row.next_action_excerpt,
    state_count: row.state_count,
    omission_count: row.omission_count,
    committed_at: row.committed_at.toISOString(),
  };
}
