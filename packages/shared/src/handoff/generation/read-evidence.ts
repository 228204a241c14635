import type { Citation } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import { column, optimizationFence, type Sql, statement, tables } from '@continuity/kernel/database';
import { type EvidencePlace, requireEvidence } from '../../evidence/index.ts';
import { type EvidenceRecord, readEntryTexts } from '../../memory/index.ts';
import { scopeKey } from '../../scopes/index.ts';
import { evidenceText, sourceOfScope } from '../../sources/index.ts';
import type { EvidenceContent } from './port.ts';

const readSources = statement(
  'read_cited_sources',
  // An observation without text evidence has empty content.
  `SELECT i.source_type AS name, i.source_id, s.content, s.record
   FROM unnest($3::text[], $4::text[]) AS i(source_type, source_id)
   CROSS JOIN LATERAL (
     SELECT coalesce(${evidenceText}, '""') AS content,
       CASE WHEN s.record IN ('work-contract', 'handoff-boundary', 'task-outcome') THEN s.record END AS record
     FROM sources s
     WHERE ${sourceOfScope} AND s.source_type = i.source_type AND s.source_id = i.source_id
     ${optimizationFence}
   ) AS s`,
  {
    name: column.text,
    source_id: column.text,
    content: column.text,
    record: column.text.orNull().as<EvidenceRecord>(),
  },
);

const readRevisions = statement(
  'read_cited_revisions',
  `SELECT i.family, i.artifact_id, i.revision, r.content
   FROM unnest($3::text[], $4::text[], $5::bigint[]) AS i(family, artifact_id, revision)
   JOIN artifacts a ON a.tenant_id = $1 AND a.scope_key = ${scopeKey}
     AND a.family = i.family AND a.artifact_id = i.artifact_id
   JOIN artifact_revisions r ON r.tenant_id = a.tenant_id AND r.artifact_key = a.artifact_key
     AND r.revision = i.revision`,
  {
    content: tables.artifact_revisions.content,
    family: column.text,
    artifact_id: column.text,
    revision: column.bigint,
  },
);

const readEntries = statement(
  'read_cited_entries',
  `SELECT i.n::int AS place, v.text
   FROM unnest($3::text[], $4::uuid[], $5::uuid[])
     WITH ORDINALITY AS i(artifact_id, entry_id, entry_version_id, n)
   JOIN artifacts a ON a.tenant_id = $1 AND a.scope_key = ${scopeKey}
     AND a.family = 'memory' AND a.artifact_id = i.artifact_id
   JOIN memory_versions v ON v.tenant_id = a.tenant_id AND v.artifact_key = a.artifact_key
     AND v.entry_id = i.entry_id AND v.entry_version_id = i.entry_version_id`,
  { text: tables.memory_versions.text, place: column.integer },
);

type Found = Map<string, Omit<EvidenceContent, 'citation'>>;

/**
 * Reads the content of the Citations, in order. Repeats the check of the request, because the job may run much later: throws 404
 * `handoff_evidence_not_found` and 422 `source_not_eligible`.
 */
export async function readEvidence(
  sql: Sql,
  place: EvidencePlace,
  citations: Citation[],
): Promise<EvidenceContent[]> {
  await requireEvidence(sql, place, citations);
  const found: Found = new Map();
  await Promise.all([
    addSources(sql, place, citations, found),
    addEntries(sql, place, citations, found),
    addRevisions(sql, place, citations, found),
  ]);
  return citations.map((citation) => {
    const content = found.get(citationKey(citation));
    if (content === undefined) throw new Error('Evidence that exists could not be read.');
    return { citation, ...content };
  });
}

async function addSources(sql: Sql, place: EvidencePlace, citations: Citation[], found: Found) {
  const refs = citations.flatMap((one) => (one.kind === 'source' ? [one.source_ref] : []));
  if (refs.length === 0) return;
  const rows = await sql.rows(readSources, [
    place.tenantId,
    place.scopeId,
    refs.map(({ name }) => name),
    refs.map(({ source_id }) => source_id),
  ]);
  for (const { content, record, ...source_ref } of rows)
    addContent(found, { kind: 'source', source_ref }, content, { record });
}

async function addEntries(sql: Sql, place: EvidencePlace, citations: Citation[], found: Found) {
  const cited = citations.flatMap((one) => (one.kind === 'memory' ? [one.memory_citation] : []));
  if (cited.length === 0) return;
  const rows = await sql.rows(readEntries, [
    place.tenantId,
    place.scopeId,
    cited.map(({ memory_ref }) => memory_ref.artifact_id),
    cited.map(({ entry_id }) => entry_id),
    cited.map(({ entry_version_id }) => entry_version_id),
  ]);
  for (const row of rows) {
    const memory_citation = cited[row.place - 1];
    if (memory_citation !== undefined)
      addContent(found, { kind: 'memory', memory_citation }, JSON.stringify(row.text));
  }
}

/** A revision whose row has no content is one of Memory: its content is the list of its active entries' texts. */
async function addRevisions(sql: Sql, place: EvidencePlace, citations: Citation[], found: Found) {
  const refs = citations.flatMap((one) => (one.kind === 'artifact' ? [one.artifact_ref] : []));
  if (refs.length === 0) return;
  const rows = await sql.rows(readRevisions, [
    place.tenantId,
    place.scopeId,
    refs.map(({ family }) => family),
    refs.map(({ artifact_id }) => artifact_id),
    refs.map(({ revision }) => revision),
  ]);
  for (const { content, ...artifact_ref } of rows) {
    const citation: Citation = { kind: 'artifact', artifact_ref };
    if (content !== null) {
      addContent(found, citation, content);
      continue;
    }
    const { texts, isTruncated } = await readEntryTexts(sql, place, artifact_ref);
    addContent(found, citation, JSON.stringify(texts), { isTruncated });
  }
}

function addContent(
  found: Found,
  citation: Citation,
  json: string,
  more: Partial<Omit<EvidenceContent, 'citation' | 'json'>> = {},
): void {
  found.set(citationKey(citation), { json, record: null, isTruncated: false, ...more });
}
