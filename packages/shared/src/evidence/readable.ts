import type { Citation, MemoryCitation } from '@continuity/contract';
import { citationKey, distinctCitations } from '@continuity/contract/evidence';
import { column, isServerId, type Sql, statement, type TenantId } from '@continuity/shared/kernel';
import { sourceOfScope } from '../sources/index.ts';

/** The Scope in which Citations must exist (spec 30 §1.4). */
export interface EvidencePlace {
  tenantId: TenantId;
  scopeId: string;
}

/** The result of a look-up. Both methods answer false for a Citation that was not looked up. */
export interface FoundEvidence {
  /** Whether the cited item exists in the Scope and can be evidence. */
  isReadable(citation: Citation): boolean;
  /** Whether the cited Source only records how an Artifact revision was written (spec 10 §6.1.4). */
  isLineageOnly(citation: Citation): boolean;
}

// LATERAL with OFFSET 0 makes the planner look up each Citation by its whole key, even before it has statistics.

const findSources = statement(
  'find_cited_sources',
  `SELECT i.n::int AS place, s.record IS NOT DISTINCT FROM 'artifact-write' AS lineage_only
   FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i(source_type, source_id, n)
   CROSS JOIN LATERAL (
     SELECT s.record FROM sources s
     WHERE ${sourceOfScope} AND s.source_type = i.source_type AND s.source_id = i.source_id
     OFFSET 0
   ) AS s`,
  { place: column.integer, lineage_only: column.boolean },
);

const findArtifacts = statement(
  'find_cited_artifacts',
  `SELECT i.n::int AS place
   FROM scopes c
   CROSS JOIN unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY AS i(family, artifact_id, revision, n)
   CROSS JOIN LATERAL (
     SELECT a.head_revision FROM artifacts a
     WHERE a.tenant_id = c.tenant_id AND a.scope_key = c.scope_key AND a.family = i.family
       AND a.artifact_id = i.artifact_id
     OFFSET 0
   ) AS a
   WHERE c.tenant_id = $1 AND c.scope_id = $2 AND i.revision <= a.head_revision`,
  { place: column.integer },
);

/** A revision holds the last state of an entry that began at or before it, unless that state ended. */
const findMemory = statement(
  'find_cited_memory',
  `SELECT i.n::int AS place
   FROM scopes c
   CROSS JOIN unnest($3::text[], $4::bigint[], $5::uuid[], $6::uuid[])
     WITH ORDINALITY AS i(artifact_id, revision, entry_id, entry_version_id, n)
   CROSS JOIN LATERAL (
     SELECT a.artifact_key, a.head_revision FROM artifacts a
     WHERE a.tenant_id = c.tenant_id AND a.scope_key = c.scope_key AND a.family = 'memory'
       AND a.artifact_id = i.artifact_id
     OFFSET 0
   ) AS a
   CROSS JOIN LATERAL (
     SELECT s.version, s.valid_to FROM memory_states s
     WHERE s.tenant_id = c.tenant_id AND s.artifact_key = a.artifact_key AND s.entry_id = i.entry_id
       AND s.valid_from <= i.revision
     ORDER BY s.valid_from DESC LIMIT 1
   ) AS s
   CROSS JOIN LATERAL (
     SELECT v.entry_version_id FROM memory_versions v
     WHERE v.tenant_id = c.tenant_id AND v.artifact_key = a.artifact_key AND v.entry_id = i.entry_id
       AND v.version = s.version
     OFFSET 0
   ) AS v
   WHERE c.tenant_id = $1 AND c.scope_id = $2 AND i.revision <= a.head_revision
     AND (s.valid_to IS NULL OR s.valid_to > i.revision) AND v.entry_version_id = i.entry_version_id`,
  { place: column.integer },
);

/** Looks up Citations with one statement for each kind. No cited item is ever deleted, so a positive result stays true. */
export async function findEvidence(
  sql: Sql,
  place: EvidencePlace,
  citations: Iterable<Citation>,
): Promise<FoundEvidence> {
  const cited = distinctCitations(citations);
  const [sources, artifacts, memory] = await Promise.all([
    lookUpSources(sql, place, cited.filter(isSource)),
    lookUpArtifacts(sql, place, cited.filter(isArtifact)),
    lookUpMemory(sql, place, cited.filter(isMemory).filter(hasServerIds)),
  ]);
  const found = new Set([...sources.citable, ...artifacts, ...memory].map(citationKey));
  const lineageOnly = new Set(sources.lineageOnly.map(citationKey));
  return {
    isReadable: (citation) => found.has(citationKey(citation)),
    isLineageOnly: (citation) => lineageOnly.has(citationKey(citation)),
  };
}

type SourceCitation = Extract<Citation, { kind: 'source' }>;
type ArtifactCitation = Extract<Citation, { kind: 'artifact' }>;
type MemoryEntryCitation = Extract<Citation, { kind: 'memory' }>;

const isSource = (citation: Citation): citation is SourceCitation => citation.kind === 'source';
const isArtifact = (citation: Citation): citation is ArtifactCitation => citation.kind === 'artifact';
const isMemory = (citation: Citation): citation is MemoryEntryCitation => citation.kind === 'memory';

async function lookUpSources(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  cited: SourceCitation[],
): Promise<{ citable: Citation[]; lineageOnly: Citation[] }> {
  if (cited.length === 0) return { citable: [], lineageOnly: [] };
  const refs = cited.map(({ source_ref }) => source_ref);
  const rows = await sql.rows(findSources, [
    tenantId,
    scopeId,
    refs.map(({ name }) => name),
    refs.map(({ source_id }) => source_id),
  ]);
  return {
    citable: pick(
      cited,
      rows.filter((row) => !row.lineage_only),
    ),
    lineageOnly: pick(
      cited,
      rows.filter((row) => row.lineage_only),
    ),
  };
}

async function lookUpArtifacts(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  cited: ArtifactCitation[],
): Promise<ArtifactCitation[]> {
  if (cited.length === 0) return [];
  const refs = cited.map(({ artifact_ref }) => artifact_ref);
  const rows = await sql.rows(findArtifacts, [
    tenantId,
    scopeId,
    refs.map(({ family }) => family),
    refs.map(({ artifact_id }) => artifact_id),
    refs.map(({ revision }) => revision),
  ]);
  return pick(cited, rows);
}

async function lookUpMemory(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  cited: MemoryEntryCitation[],
): Promise<MemoryEntryCitation[]> {
  if (cited.length === 0) return [];
  const entries: MemoryCitation[] = cited.map(({ memory_citation }) => memory_citation);
  const rows = await sql.rows(findMemory, [
    tenantId,
    scopeId,
    entries.map(({ memory_ref }) => memory_ref.artifact_id),
    entries.map(({ memory_ref }) => memory_ref.revision),
    entries.map(({ entry_id }) => entry_id),
    entries.map(({ entry_version_id }) => entry_version_id),
  ]);
  return pick(cited, rows);
}

/** PostgreSQL would reject other ids as UUIDs. */
function hasServerIds({
  memory_citation: { memory_ref, entry_id, entry_version_id },
}: MemoryEntryCitation): boolean {
  return memory_ref.family === 'memory' && isServerId(entry_id) && isServerId(entry_version_id);
}

/** SQL ordinals start at 1. */
function pick<C extends Citation>(cited: C[], rows: { place: number }[]): C[] {
  return rows.flatMap(({ place }) => cited[place - 1] ?? []);
}
