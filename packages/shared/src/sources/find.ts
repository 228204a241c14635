import type { SourceRef } from '@continuity/contract';
import {
  column,
  optimizationFence,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { digestFromBytes, type JsonValue } from '@continuity/kernel/json';
import { type SourceRecordKind, sourceOfScope } from './source.ts';

interface StoredSource {
  /** Canonical JSON. */
  content: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
  occurredAt: string | null;
}

const findStatement = statement(
  'find_source',
  `SELECT s.content, s.position, s.content_digest, s.occurred_at
   FROM sources s
   WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4`,
  pick(tables.sources, 'content', 'position', 'content_digest', 'occurred_at'),
);

/** Finds a Source by type and id. */
export async function findSource(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  sourceType: string,
  sourceId: string,
): Promise<StoredSource | undefined> {
  const row = await sql.first(findStatement, [tenantId, scopeId, sourceType, sourceId]);
  if (row === undefined) return undefined;
  return {
    content: row.content,
    position: row.position,
    contentDigest: digestFromBytes(row.content_digest),
    occurredAt: row.occurred_at,
  };
}

/** Whether a Source can be evidence, and where it stands. */
export interface SourcePlace {
  position: number;
  /** Whether it only records how an Artifact was written (spec 10 §6.1.4). */
  isLineageOnly: boolean;
}

const placesStatement = statement(
  'find_source_places',
  `SELECT i.n::int AS place, s.position, s.record IS NOT DISTINCT FROM 'artifact-write' AS lineage_only
   FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i(source_type, source_id, n)
   CROSS JOIN LATERAL (
     SELECT s.position, s.record FROM sources s
     WHERE ${sourceOfScope} AND s.source_type = i.source_type AND s.source_id = i.source_id
     ${optimizationFence}
   ) AS s`,
  { place: column.integer, position: tables.sources.position, lineage_only: column.boolean },
);

/** Finds the places of Sources of a Scope, in the order of `refs`; undefined for an unknown one. */
export async function findSourcePlaces(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  refs: readonly SourceRef[],
): Promise<(SourcePlace | undefined)[]> {
  if (refs.length === 0) return [];
  const names = refs.map(({ name }) => name);
  const ids = refs.map(({ source_id }) => source_id);
  const rows = await sql.rows(placesStatement, [tenantId, scopeId, names, ids]);
  const places = new Map(rows.map((row) => [row.place - 1, row]));
  return refs.map((_, index) => {
    const row = places.get(index);
    return row && { position: row.position, isLineageOnly: row.lineage_only };
  });
}

/** A Source of type `content`. */
export interface FoundRecord {
  /** Null for a Source that a caller captured. */
  record: SourceRecordKind | null;
  content: JsonValue;
  position: number;
  contentDigest: Buffer;
}

const findRecordStatement = statement(
  'find_source_record',
  `SELECT s.record, s.content, s.position, s.content_digest
   FROM sources s
   WHERE ${sourceOfScope} AND s.source_type = 'content' AND s.source_id = $3`,
  {
    ...pick(tables.sources, 'content', 'position', 'content_digest'),
    record: tables.sources.record.as<SourceRecordKind>(),
  },
);

/** Finds a Source of type `content` by its id. */
export async function findRecord(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  sourceId: string,
): Promise<FoundRecord | undefined> {
  const row = await sql.first(findRecordStatement, [tenantId, scopeId, sourceId]);
  if (row === undefined) return undefined;
  const { record, content, position, content_digest } = row;
  return { record, content: JSON.parse(content) as JsonValue, position, contentDigest: content_digest };
}
