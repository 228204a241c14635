import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { textOfJson } from '@continuity/kernel/json';
import { estimateTokens } from '@continuity/kernel/text';
import { type JsonAnswer, jsonAnswer } from '@continuity/shared/handlers';
import { scopeKey } from '../scopes/index.ts';
import type { WorkProjection, WorkRecordKind } from '../work-records/index.ts';

/** Sources that the service writes: the request of an Artifact write, which is lineage only, and work records. */
export type SourceRecordKind = 'artifact-write' | WorkRecordKind;

/** A Source to append. */
export interface NewSource {
  tenantId: TenantId;
  scopeId: string;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON. */
  content: string;
  contentDigest: Buffer;
  /** Canonical JSON of the metadata; null for absent or empty metadata. */
  metadata: string | null;
  /** When it was said, as `offsetTime` writes it; null if not known. */
  occurredAt?: string | null;
  /** Whether extraction reads it (spec 20 F6). */
  eligible: boolean;
  /** Kind of a record that the service writes; null for content that a caller captured. */
  record: SourceRecordKind | null;
  /** Only for a Source that claims to be a work record, whoever wrote it. */
  projection?: WorkProjection | undefined;
  /** Only for a Source of a registered type. */
  observation?: ObservedParts;
}

/** Parts of an observation besides its content. */
export interface ObservedParts {
  /** SHA-256 over the whole observation. */
  digest: Buffer;
  /** `value` is canonical JSON. */
  projections: { name: string; version: string; value: string }[];
}

/**
 * Condition on Sources `s` of tenant $1 and Scope id $2, for a look-up by type and id. The expression `scope_key + 0` matches the
 * expression index `sources_identity` and no other index.
 */
export const sourceOfScope = `s.tenant_id = $1 AND s.scope_key + 0 = ${scopeKey}`;

/** Estimates the tokens of a Source from its canonical JSON (spec 20 P13). */
export function sourceTokens(canonical: string): number {
  return estimateTokens(textOfJson(canonical));
}

/** A Source for the response of `get_source`. */
interface SourceToAnswer {
  scopeId: string;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON. */
  content: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
  occurredAt: string | null;
}

/**
 * Serializes a SourceRecord. Inserts the stored content as text (spec 10 §8): JSON.parse moves integer-like keys to the front, so
 * that parsed and serialized content would not be canonical.
 */
export function serializeSource(source: SourceToAnswer): JsonAnswer {
  const identity = { scope_id: source.scopeId, source_type: source.sourceType, source_id: source.sourceId };
  const { position, contentDigest: content_digest, occurredAt: occurred_at } = source;
  const rest = { position, content_digest, occurred_at };
  return jsonAnswer(
    `${JSON.stringify(identity).slice(0, -1)},"content":${source.content},${JSON.stringify(rest).slice(1)}`,
  );
}

/** The projection of an observed Source that extraction and generation read (spec 10 §9.2.5). */
export const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };

/**
 * SQL for the JSON that extraction and generation read of the Source `s`: its content, or for an observation the text of its
 * text evidence. Null for an observation without text evidence.
 */
export const evidenceText = `CASE WHEN s.observation_digest IS NULL THEN s.content ELSE (
     SELECT to_json(p.value::json ->> 'content')::text FROM source_projections p
     WHERE p.tenant_id = s.tenant_id AND p.scope_key = s.scope_key AND p.position = s.position
       AND p.name = '${textEvidence.name}' AND p.version = '${textEvidence.version}') END`;

/** The Source types that need no definition (spec 10 §11.4). */
export const builtInSourceTypes = [
  'content',
  'skill-usage',
  'skill-package-upload',
  'external-skill-snapshot',
] as const;

const findType = statement(
  'find_source_type',
  'SELECT name FROM source_definitions WHERE tenant_id = $1 AND name = $2 LIMIT 1',
  pick(tables.source_definitions, 'name'),
);

/** Loose index scan: one row per name, whatever the number of versions. */
const listTypes = statement(
  'list_source_types',
  `WITH RECURSIVE types AS (
     (SELECT name FROM source_definitions WHERE tenant_id = $1 ORDER BY name LIMIT 1)
     UNION ALL
     SELECT (SELECT d.name FROM source_definitions d WHERE d.tenant_id = $1 AND d.name > t.name ORDER BY d.name LIMIT 1)
     FROM types t WHERE t.name IS NOT NULL
   )
   SELECT name FROM types WHERE name IS NOT NULL`,
  { name: column.text },
);

/** Throws 422 for a Source type that is neither built in nor registered in the tenant. */
export async function checkSourceType(sql: Sql, tenantId: TenantId, sourceType: string): Promise<void> {
  if ((builtInSourceTypes as readonly string[]).includes(sourceType)) return;
  if ((await sql.first(findType, [tenantId, sourceType])) !== undefined) return;
  const message = `must be one of ${builtInSourceTypes.join(', ')}, or a registered type`;
  throw invalidRequest([{ path: 'source_type', message }]);
}

/** Lists the names of the tenant's Source definitions, ascending by code point. */
export async function listSourceTypes(sql: Sql, tenantId: TenantId): Promise<string[]> {
  return (await sql.rows(listTypes, [tenantId])).map(({ name }) => name);
}
