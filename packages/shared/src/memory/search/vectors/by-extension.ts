import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import {
  admission,
  joinEntry,
  type NearestAnswer,
  type NearestQuery,
  scopeCte,
  type VectorHit,
} from './channel.ts';
import type { VectorSupport } from './support.ts';

/** Scopes of no more vectors than this are compared whole: exact, and as fast as an index that holds those of others too. */
export const maxExact = 5_000;

/** Vectors that a walk through the index visits at most: pgvector's default of `hnsw.max_scan_tuples`. */
const maxVisited = 20_000;

/** Hits that a walk should meet for each that is wanted, as many vectors of other Scopes as it passes. */
const spareHits = 4;

/** Dimensions up to which the index keeps single precision; above it half. Above the second there is no index. */
const maxIndexedSingle = 2_000;
export const maxIndexedHalf = 4_000;

/** The expression that the index of a profile is over: a statement that orders by it can use it. */
export function indexedExpression(dimension: number): string {
  return `(embedding::${indexedType(dimension)}(${dimension}))`;
}

export function indexedType(dimension: number): 'vector' | 'halfvec' {
  return dimension <= maxIndexedSingle ? 'vector' : 'halfvec';
}

const exactly = (dimension: number, isSmall: string) => `
     SELECT e.artifact_key, e.entry_id, e.embedding::vector(${dimension}) <=> $5::vector(${dimension}) AS distance
     FROM scope CROSS JOIN LATERAL (
       SELECT m.artifact_key, m.entry_id, m.embedding FROM memory_embeddings m
       WHERE m.tenant_id = $1 AND m.scope_key = scope.scope_key AND m.profile_key = $3 OFFSET 0
     ) AS e
     WHERE scope.runs AND ${isSmall}`;

/**
 * The condition on tenant and Scope is written so that no other index serves it: the walk through the HNSW index goes on until
 * enough vectors pass it (`hnsw.iterative_scan`). The profile is spelt out, as the index is partial.
 */
const byIndex = (profileKey: number, dimension: number) => `
     SELECT h.artifact_key, h.entry_id, h.distance
     FROM scope CROSS JOIN LATERAL (
       SELECT m.artifact_key, m.entry_id,
              m.embedding::${indexedType(dimension)}(${dimension}) <=> $5::${indexedType(dimension)}(${dimension}) AS distance
       FROM memory_embeddings m
       WHERE m.profile_key = ${profileKey} AND m.tenant_id + 0 = $1 AND m.scope_key + 0 = scope.scope_key
       ORDER BY m.embedding::${indexedType(dimension)}(${dimension}) <=> $5::${indexedType(dimension)}(${dimension})
       LIMIT $6
     ) AS h
     WHERE scope.runs AND scope.embedded > $7::bigint`;

const nearestStatement = (name: string, distances: string) =>
  statement(
    name,
    `WITH ${scopeCte}, candidate AS MATERIALIZED (${distances}
   ), near AS MATERIALIZED (
     SELECT c.artifact_key, c.entry_id, 1 - c.distance AS score, a.artifact_id
     FROM candidate c CROSS JOIN LATERAL (
       SELECT a.artifact_id FROM artifacts a WHERE a.tenant_id = $1 AND a.artifact_key = c.artifact_key OFFSET 0
     ) AS a
     WHERE c.distance <= ${1 - admission}
     ORDER BY c.distance, a.artifact_id, c.entry_id LIMIT $6
   ), hit AS (
     SELECT a.artifact_id, a.head_revision, near.entry_id, v.entry_version_id, v.kind, v.text, near.score
     FROM near ${joinEntry}
   )
   SELECT scope.head_revision AS scope_revision, scope.runs, hit.*
   FROM scope LEFT JOIN hit ON true
   ORDER BY hit.score DESC, hit.artifact_id, hit.entry_id`,
  );

/** One for each profile and dimension that this process searches in, of which there is one. */
const statements = new Map<string, Statement>();

function statementFor(dimension: number, indexedProfile: number | null): Statement {
  const name =
    indexedProfile === null ? `nearest_exact_${dimension}` : `nearest_indexed_${dimension}_${indexedProfile}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made =
    indexedProfile === null
      ? nearestStatement(name, exactly(dimension, 'true'))
      : nearestStatement(
          name,
          `${exactly(dimension, 'scope.embedded <= $7::bigint')} UNION ALL (${byIndex(indexedProfile, dimension)})`,
        );
  statements.set(name, made);
  return made;
}

/** Vectors up to which a Scope is compared whole: more where it is so small a part of the index that a walk would miss it. */
export function exactLimit(indexed: number, wanted: number): number {
  return Math.max(maxExact, Math.ceil((indexed * wanted * spareHits) / maxVisited));
}

interface Row extends VectorHit {
  scope_revision: number;
  runs: boolean;
}

/** By pgvector: one statement. */
export async function readNearestByExtension(
  sql: Sql,
  { profileKey, indexed }: VectorSupport,
  { tenantId, scopeId, vector, limit, onlyIfCovered }: NearestQuery,
): Promise<NearestAnswer> {
  const { dimension } = vector.profile;
  const rows = await sql.rows<Row>(statementFor(dimension, indexed === null ? null : profileKey), [
    tenantId,
    scopeId,
    profileKey,
    onlyIfCovered,
    `[${vector.values.join(',')}]`,
    limit,
    ...(indexed === null ? [] : [exactLimit(indexed, limit)]),
  ]);
  const [first] = rows;
  return {
    headRevision: first?.scope_revision ?? null,
    ran: first?.runs ?? true,
    hits: rows.filter((row) => row.entry_id !== null),
  };
}
