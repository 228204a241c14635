import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import { type HandoffContent, handoffId } from '@continuity/contract/handoff';
import {
  type ArtifactKey,
  column,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { excerptOf } from '@continuity/kernel/text';
import { type EvidencePlace, toSourceTypeRef } from '../evidence/index.ts';
import { scopeKey } from '../scopes/index.ts';
import { canonicalContent, contentBytes, type HandoffLineage } from './content.ts';

/** Limit of an excerpt, in code points. */
const maxExcerpt = 240;

/**
 * SQL that summarizes the revision of the preceding CTE `written`, whose parameters begin at `$first`: `summaryValues`. A
 * report shows summaries, so it reads no older content.
 */
export function insertSummary(first: number): string {
  const [disposition, objective, nextAction, states, omissions, bytes, source] = [0, 1, 2, 3, 4, 5, 6].map(
    (index) => `$${first + index}`,
  );
  return `INSERT INTO handoff_summaries (tenant_id, artifact_key, revision, disposition, objective_excerpt,
     next_action_excerpt, state_count, omission_count, content_bytes, committed_at, first_source_id)
   SELECT tenant_id, artifact_key, revision, ${disposition}, ${objective}, ${nextAction}, ${states}::int, ${omissions}::int,
          ${bytes}::int, created_at, ${source}
   FROM written
   RETURNING revision`;
}

/** The parameters of `insertSummary`. */
export function summaryValues(content: HandoffContent): unknown[] {
  const { disposition, objective, state, next_action, omissions } = content;
  return [
    disposition,
    excerptOf(objective, maxExcerpt),
    next_action === null ? null : excerptOf(next_action.text, maxExcerpt),
    state.length,
    omissions.length,
    contentBytes(content),
    firstSourceId(content),
  ];
}

/** The id of the content Source that the first statement cites first: of a Handoff of current work, its boundary. */
function firstSourceId({ state }: HandoffContent): string | null {
  const citation = state[0]?.citations[0];
  return citation?.kind === 'source' && citation.source_ref.name === 'content'
    ? citation.source_ref.source_id
    : null;
}

/** One revision of a Scope's Handoff. */
export interface StoredHandoff {
  artifactKey: ArtifactKey;
  headRevision: number;
  revision: number;
  content: HandoffContent;
  /** 64 hex digits. */
  contentDigest: string;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  /** The Scope that the Citations refer to. For a published revision its origin (spec 10 §7.1.7). */
  evidenceScopeId: string;
}

/** A Handoff with the selected revision, if it exists. */
export interface FoundHandoff {
  headRevision: number;
  selected: StoredHandoff | undefined;
}

const findStatement = statement(
  'find_handoff',
  `SELECT a.artifact_key, a.head_revision, r.revision, r.content, encode(r.content_digest, 'hex') AS content_digest,
          r.sources, r.artifacts, coalesce(p.origin_scope_id, $2) AS evidence_scope_id
   FROM artifacts a
   LEFT JOIN artifact_revisions r ON r.tenant_id = a.tenant_id AND r.artifact_key = a.artifact_key
     AND r.revision = coalesce($3::bigint, a.head_revision)
   LEFT JOIN artifact_publications p ON p.tenant_id = a.tenant_id AND p.artifact_key = a.artifact_key AND r.revision = 1
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'handoff' AND a.artifact_id = '${handoffId}'`,
  {
    ...pick(tables.artifacts, 'artifact_key', 'head_revision'),
    revision: tables.artifact_revisions.revision.orNull(),
    content: tables.artifact_revisions.content,
    content_digest: column.text,
    sources: tables.artifact_revisions.sources.as<SourceTypeRef[]>(),
    artifacts: tables.artifact_revisions.artifacts.as<ArtifactRef[]>(),
    evidence_scope_id: column.text,
  },
);

type HandoffRow = RowOfStatement<typeof findStatement>;

/** Of concurrent callers the first to commit creates the Handoff; the others wait and insert nothing. */
const firstStatement = statement(
  'write_first_handoff',
  `WITH head AS (
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
     SELECT tenant_id, scope_key, 'handoff', '${handoffId}', 1 FROM scopes WHERE tenant_id = $1 AND scope_id = $2
     ON CONFLICT ON CONSTRAINT artifacts_identity DO NOTHING
     RETURNING artifact_key
   ), written AS (
     INSERT INTO artifact_revisions
       (tenant_id, artifact_key, revision, sources, artifacts, content, content_digest, created_at)
     SELECT $1, artifact_key, 1, $3::jsonb, $4::jsonb, $5, decode($6, 'hex'), clock_timestamp() FROM head
     RETURNING tenant_id, artifact_key, revision, created_at
   )
   ${insertSummary(7)}`,
  pick(tables.handoff_summaries, 'revision'),
);

/**
 * Writes nothing if a concurrent writer has moved the head. Takes the time under the lock of the head, and never before that of the
 * previous revision, even if the clock goes back (spec 30 §3.6.5).
 */
const nextStatement = statement(
  'write_next_handoff',
  `WITH head AS (
     UPDATE artifacts SET head_revision = head_revision + 1
     WHERE tenant_id = $1 AND artifact_key = $2 AND head_revision = $3
     RETURNING head_revision
   ), written AS (
     INSERT INTO artifact_revisions
       (tenant_id, artifact_key, revision, sources, artifacts, content, content_digest, created_at)
     SELECT $1, $2, head_revision, $4::jsonb, $5::jsonb, $6, decode($7, 'hex'),
            greatest(clock_timestamp(), (SELECT created_at FROM artifact_revisions
                                         WHERE tenant_id = $1 AND artifact_key = $2 AND revision = $3))
     FROM head
     RETURNING tenant_id, artifact_key, revision, created_at
   )
   ${insertSummary(8)}`,
  pick(tables.handoff_summaries, 'revision'),
);

/** Finds the Handoff of a Scope with one revision, by default the head; undefined for a Scope without a Handoff. */
export async function findHandoff(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  revision: number | null = null,
): Promise<FoundHandoff | undefined> {
  const row = await sql.first(findStatement, [tenantId, scopeId, revision]);
  if (row === undefined) return undefined;
  return {
    headRevision: row.head_revision,
    selected: row.revision === null ? undefined : toStored(row, row.revision),
  };
}

const findByBoundaryStatement = statement(
  'find_handoff_of_boundary',
  `SELECT s.revision
   FROM artifacts a
   CROSS JOIN LATERAL (
     SELECT s.revision FROM handoff_summaries s
     WHERE s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.first_source_id = $3
     ORDER BY s.revision LIMIT 1
   ) AS s
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'handoff' AND a.artifact_id = '${handoffId}'
     -- A published first revision cites Sources of another Scope (spec 10 §7.1.7).
     AND NOT EXISTS (SELECT FROM artifact_publications p
                     WHERE p.tenant_id = a.tenant_id AND p.artifact_key = a.artifact_key AND s.revision = 1)`,
  pick(tables.handoff_summaries, 'revision'),
);

/** Finds the first revision whose first statement cites a boundary first; undefined if there is none. */
export async function findRevisionOfBoundary(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  boundaryId: string,
): Promise<number | undefined> {
  return (await sql.first(findByBoundaryStatement, [tenantId, scopeId, boundaryId]))?.revision;
}

/** Finds the head revision of a Scope's Handoff. */
export async function findHead(sql: Sql, place: EvidencePlace): Promise<StoredHandoff | undefined> {
  return (await findHandoff(sql, place))?.selected;
}

/** A Handoff revision to write. */
export interface HandoffToWrite {
  content: HandoffContent;
  contentDigest: string;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
}

/** Writes revision one in an existing Scope; false if the Scope has a Handoff. */
export async function writeFirst(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  handoff: HandoffToWrite,
): Promise<boolean> {
  const rows = await sql.rows(firstStatement, [tenantId, scopeId, ...revisionValues(handoff)]);
  return rows.length > 0;
}

/** Writes the revision after `head`; false if the head has changed. */
export async function writeNext(
  sql: Sql,
  tenantId: TenantId,
  head: { artifactKey: ArtifactKey; revision: number },
  handoff: HandoffToWrite,
): Promise<boolean> {
  const values = [tenantId, head.artifactKey, head.revision, ...revisionValues(handoff)];
  const rows = await sql.rows(nextStatement, values);
  return rows.length > 0;
}

/** Converts a lineage to its stored form. */
export function toLineageColumns({
  sources,
  artifacts,
}: HandoffLineage): Pick<HandoffToWrite, 'sources' | 'artifacts'> {
  return {
    sources: sources.map(toSourceTypeRef),
    artifacts,
  };
}

function revisionValues({ content, contentDigest, sources, artifacts }: HandoffToWrite): unknown[] {
  return [
    sources.length === 0 ? null : JSON.stringify(sources),
    artifacts.length === 0 ? null : JSON.stringify(artifacts),
    canonicalContent(content),
    contentDigest,
    ...summaryValues(content),
  ];
}

function toStored(row: HandoffRow, revision: number): StoredHandoff {
  if (row.content === null) throw new Error('A revision of a Handoff has no content.');
  return {
    artifactKey: row.artifact_key,
    headRevision: row.head_revision,
    revision,
    content: JSON.parse(row.content) as HandoffContent,
    contentDigest: row.content_digest,
    sources: row.sources ?? [],
    artifacts: row.artifacts ?? [],
    evidenceScopeId: row.evidence_scope_id,
  };
}
