import { optimizationFence } from '@continuity/kernel/database';
/**
 * A table of vectors: `tenant_id`, `scope_key`, `profile_key` and `embedding` (`real[]`, unit length), with the columns
 * that identify what a vector belongs to.
 */
export interface VectorTable {
  table: string;
  identity: readonly string[];
}

/** A nearest-neighbor query: the dimension, and SQL for its parameters. */
export interface DistanceQuery {
  dimension: number;
  tenant: string;
  scopeKey: string;
  profileKey: string;
  /** The query vector as pgvector's text. */
  vector: string;
  /** SQL condition on a row `m` of the table. */
  condition?: string;
}

/** SQL for whether the extension is missing in the search path. */
export const isWithoutPgvector = "to_regtype('vector') IS NULL";

/** Vectors of a Scope up to which each one is compared: exact, and as fast as an index that holds other Scopes too. */
export const maxExactVectors = 5_000;

/** Limits of the dimension of an HNSW index in single precision, and in half precision. */
const maxSingleDimensions = 2_000;
export const maxIndexedDimensions = 4_000;

/** Vectors that an index scan visits at most: pgvector's default of `hnsw.max_scan_tuples`. */
const maxVisited = 20_000;

/** Vectors of the Scope that an index scan should visit for each wanted hit. */
const spareHits = 4;

/** The element type of the HNSW index. */
export function indexType(dimension: number): 'vector' | 'halfvec' {
  return dimension <= maxSingleDimensions ? 'vector' : 'halfvec';
}

/** The expression of the HNSW index: a statement that orders by its distance can use the index. */
export function indexExpression(dimension: number): string {
  return `(embedding::${indexType(dimension)}(${dimension}))`;
}

/** Name of the HNSW index of a profile. */
export function indexName({ table }: VectorTable, profileKey: number | ''): string {
  return `${table}_hnsw_${profileKey}`;
}

/**
 * Limit of a Scope's vectors up to which each is compared exactly. It grows with the index: a scan visits a bounded number of
 * vectors, and would miss a Scope that is a small part of it.
 */
export function exactLimit(indexed: number, wanted: number): number {
  return Math.max(maxExactVectors, Math.ceil((indexed * wanted * spareHits) / maxVisited));
}

/** SQL for the distance of an `embedding` to the query vector, in single precision. */
export function exactDistance(embedding: string, { dimension, vector }: DistanceQuery): string {
  return `${embedding}::vector(${dimension}) <=> ${vector}::vector(${dimension})`;
}

function and({ condition }: DistanceQuery): string {
  return condition === undefined ? '' : ` AND ${condition}`;
}

/** SELECT of identity and `distance` of every vector of a Scope. */
export function exactDistances({ table, identity }: VectorTable, query: DistanceQuery): string {
  const columns = identity.join(', ');
  return `
     SELECT ${columns}, ${exactDistance('e.embedding', query)} AS distance
     FROM (
       SELECT ${columns}, m.embedding FROM ${table} m
       WHERE m.tenant_id = ${query.tenant} AND m.scope_key = ${query.scopeKey} AND m.profile_key = ${query.profileKey}${and(query)} ${optimizationFence}
     ) AS e`;
}

/**
 * SELECT of identity and `distance` of the nearest vectors of a Scope by the HNSW index of a profile. The index scan
 * continues until enough vectors pass the filter (`hnsw.iterative_scan`), so tenant and Scope are written in a form that no
 * other index can serve. The profile is a literal because the index is partial. Distances are exact, also where the index
 * has half precision.
 */
export function indexedDistances(
  { table, identity }: VectorTable,
  query: DistanceQuery,
  limit: string,
): string {
  const columns = identity.join(', ');
  const type = `${indexType(query.dimension)}(${query.dimension})`;
  return `
     SELECT ${columns}, ${exactDistance('n.embedding', query)} AS distance
     FROM (
       SELECT ${columns}, m.embedding FROM ${table} m
       WHERE m.profile_key = ${query.profileKey} AND m.tenant_id + 0 = ${query.tenant} AND m.scope_key + 0 = ${query.scopeKey}${and(query)}
       ORDER BY m.embedding::${type} <=> ${query.vector}::${type}
       LIMIT ${limit}
     ) AS n`;
}
