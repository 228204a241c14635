import type { Citation, MemoryCitation } from '@continuity/contract';
import { citationKey, distinctCitations } from '@continuity/contract/evidence';
import { column, optimizationFence, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';

/** The Scope in which Citations must exist (spec 30 §1.4). */
export interface EvidencePlace {
  tenantId: TenantId;
  scopeId: string;
}

/** The result of a look-up. Both methods return false for a Citation that was not looked up. */
export interface FoundEvidence {
  /** Whether the cited item exists in the Scope and can be evidence. */
  isReadable(citation: Citation): boolean;
  /** Whether the cited Source only records how an Artifact revision was written (spec 10 §6.1.4). */
  isLineageOnly(citation: Citation): boolean;
}

// LATERAL with OFFSET 0 makes the planner look up each Citation by its whole key, even before it has statistics.

const scopeOfCitation = `LATERAL (
     SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id ${optimizationFence}
   ) AS c`;

const findSources = statement(
  'find_cited_sources',
  `SELECT i.n::int AS place, s.record IS NOT DISTINCT FROM 'artifact-write' AS lineage_only
   FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS i(scope_id, source_type, source_id, n)
   CROSS JOIN ${scopeOfCitation}
   CROSS JOIN LATERAL (
     SELECT s.record FROM sources s
     WHERE s.tenant_id = $1 AND s.scope_key + 0 = c.scope_key AND s.source_type = i.source_type AND s.source_id = i.source_id
     ${optimizationFence}
   ) AS s`,
  { place: column.integer, lineage_only: column.boolean },
);

const findArtifacts = statement(
  'find_cited_artifacts',
  `SELECT i.n::int AS place
   FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[])
     WITH ORDINALITY AS i(scope_id, family, artifact_id, revision, n)
   CROSS JOIN ${scopeOfCitation}
   CROSS JOIN LATERAL (
     SELECT a.head_revision FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = i.family AND a.artifact_id = i.artifact_id
     ${optimizationFence}
   ) AS a
   WHERE i.revision <= a.head_revision`,
  { place: column.integer },
);

/** A revision holds the last state of an entry that began at or before it, unless that state ended. */
const findMemory = statement(
  'find_cited_memory',
  `SELECT i.n::int AS place
   FROM unnest($2::text[], $3::text[], $4::bigint[], $5::uuid[], $6::uuid[])
     WITH ORDINALITY AS i(scope_id, artifact_id, revision, entry_id, entry_version_id, n)
   CROSS JOIN ${scopeOfCitation}
   CROSS JOIN LATERAL (
     SELECT a.artifact_key, a.head_revision FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = 'memory' AND a.artifact_id = i.artifact_id
     ${optimizationFence}
   ) AS a
   CROSS JOIN LATERAL (
     SELECT s.version, s.valid_to FROM memory_states s
     WHERE s.tenant_id = $1 AND s.artifact_key = a.artifact_key AND s.entry_id = i.entry_id AND s.valid_from <= i.revision
     ORDER BY s.valid_from DESC LIMIT 1
   ) AS s
   CROSS JOIN LATERAL (
     SELECT v.entry_version_id FROM memory_versions v
     WHERE v.tenant_id = $1 AND v.artifact_key = a.artifact_key AND v.entry_id = i.entry_id AND v.version = s.version
     ${optimizationFence}
   ) AS v
   WHERE i.revision <= a.head_revision AND (s.valid_to IS NULL OR s.valid_to > i.revision)
     AND v.entry_version_id = i.entry_version_id`,
  { place: column.integer },
);

/** Looks up Citations with one statement for each kind. No cited item is ever deleted, so a positive result stays true. */
export async function findEvidence(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  citations: Iterable<Citation>,
): Promise<FoundEvidence> {
  const [found] = await findEvidenceOf(sql, tenantId, [{ scopeId, citations }]);
  if (found === undefined) throw new Error('Evidence was looked up in no Scope.');
  return found;
}

/**
 * Throws 404 `handoff_evidence_not_found` with all missing Citations, each once and in order. If none is missing, throws 422
 * `source_not_eligible` with the first Source that is lineage only (spec 30 §1.4, §1.5, §8.4).
 */
export async function requireEvidence(
  sql: Sql,
  place: EvidencePlace,
  citations: Iterable<Citation>,
): Promise<void> {
  const cited = distinctCitations(citations);
  if (cited.length === 0) return;
  const found = await findEvidence(sql, place, cited);
  const missing = cited.filter((one) => !found.isReadable(one) && !found.isLineageOnly(one));
  if (missing.length > 0) {
    throw serviceError('handoff_evidence_not_found', { details: { citations: missing } });
  }
  for (const one of cited) {
    if (one.kind === 'source' && found.isLineageOnly(one)) {
      throw serviceError('source_not_eligible', { details: { source_ref: one.source_ref } });
    }
  }
}

/** Citations that must exist in one Scope. */
interface ScopeCitations {
  scopeId: string;
  citations: Iterable<Citation>;
}

/** As `findEvidence` for several Scopes, in their order, with one statement for each kind over all of them. */
export async function findEvidenceOf(
  sql: Sql,
  tenantId: TenantId,
  places: readonly ScopeCitations[],
): Promise<FoundEvidence[]> {
  const placed = places.flatMap(({ scopeId, citations }, index) =>
    distinctCitations(citations).map((citation) => ({ scopeId, citation, index })),
  );
  const [sources, artifacts, memory] = await Promise.all([
    lookUpSources(sql, tenantId, placed.filter(isSource)),
    lookUpArtifacts(sql, tenantId, placed.filter(isArtifact)),
    lookUpMemory(sql, tenantId, placed.filter(isMemory).filter(hasServerIds)),
  ]);
  const found = new Set([...sources.citable, ...artifacts, ...memory].map(placedKey));
  const lineageOnly = new Set(sources.lineageOnly.map(placedKey));
  return places.map((_, index) => ({
    isReadable: (citation) => found.has(placedKey({ index, citation })),
    isLineageOnly: (citation) => lineageOnly.has(placedKey({ index, citation })),
  }));
}

/** A Citation of one of several Scopes. `index` is the place of the Scope. */
interface PlacedCitation<C extends Citation = Citation> {
  scopeId: string;
  index: number;
  citation: C;
}

function placedKey({ index, citation }: Pick<PlacedCitation, 'index' | 'citation'>): string {
  return `${index} ${citationKey(citation)}`;
}

type SourceCitation = Extract<Citation, { kind: 'source' }>;
type ArtifactCitation = Extract<Citation, { kind: 'artifact' }>;
type MemoryEntryCitation = Extract<Citation, { kind: 'memory' }>;

const isSource = (one: PlacedCitation): one is PlacedCitation<SourceCitation> =>
  one.citation.kind === 'source';
const isArtifact = (one: PlacedCitation): one is PlacedCitation<ArtifactCitation> =>
  one.citation.kind === 'artifact';
const isMemory = (one: PlacedCitation): one is PlacedCitation<MemoryEntryCitation> =>
  one.citation.kind === 'memory';

async function lookUpSources(
  sql: Sql,
  tenantId: TenantId,
  cited: PlacedCitation<SourceCitation>[],
): Promise<{ citable: PlacedCitation[]; lineageOnly: PlacedCitation[] }> {
  if (cited.length === 0) return { citable: [], lineageOnly: [] };
  const rows = await sql.rows(findSources, [
    tenantId,
    cited.map(({ scopeId }) => scopeId),
    cited.map(({ citation }) => citation.source_ref.name),
    cited.map(({ citation }) => citation.source_ref.source_id),
  ]);
  const [lineageOnly, citable] = [
    rows.filter((row) => row.lineage_only),
    rows.filter((row) => !row.lineage_only),
  ];
  return { citable: pick(cited, citable), lineageOnly: pick(cited, lineageOnly) };
}

async function lookUpArtifacts(
  sql: Sql,
  tenantId: TenantId,
  cited: PlacedCitation<ArtifactCitation>[],
): Promise<PlacedCitation[]> {
  if (cited.length === 0) return [];
  const refs = cited.map(({ citation }) => citation.artifact_ref);
  const rows = await sql.rows(findArtifacts, [
    tenantId,
    cited.map(({ scopeId }) => scopeId),
    refs.map(({ family }) => family),
    refs.map(({ artifact_id }) => artifact_id),
    refs.map(({ revision }) => revision),
  ]);
  return pick(cited, rows);
}

async function lookUpMemory(
  sql: Sql,
  tenantId: TenantId,
  cited: PlacedCitation<MemoryEntryCitation>[],
): Promise<PlacedCitation[]> {
  if (cited.length === 0) return [];
  const entries: MemoryCitation[] = cited.map(({ citation }) => citation.memory_citation);
  const rows = await sql.rows(findMemory, [
    tenantId,
    cited.map(({ scopeId }) => scopeId),
    entries.map(({ memory_ref }) => memory_ref.artifact_id),
    entries.map(({ memory_ref }) => memory_ref.revision),
    entries.map(({ entry_id }) => entry_id),
    entries.map(({ entry_version_id }) => entry_version_id),
  ]);
  return pick(cited, rows);
}

/** PostgreSQL would reject other ids as UUIDs. */
function hasServerIds({ citation }: PlacedCitation<MemoryEntryCitation>): boolean {
  const { memory_ref, entry_id, entry_version_id } = citation.memory_citation;
  return memory_ref.family === 'memory' && isServerId(entry_id) && isServerId(entry_version_id);
}

/** SQL ordinals start at 1. */
function pick(cited: readonly PlacedCitation[], rows: { place: number }[]): PlacedCitation[] {
  return rows.flatMap(({ place }) => cited[place - 1] ?? []);
}
