import {
  type ArtifactKey,
  column,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { lowestId } from '@continuity/kernel/text';
import { base64PerComponent, bestSimilarity, encodedVector, TopScores } from '../../../search/index.ts';
import { type EntryKey, keyOf, type ScoresByEntry } from '../entry-key.ts';
import { type ChannelHit, hitOrder, hitRow } from '../lexical-statements.ts';
import {
  endedProfile,
  entryHoldsAt,
  hasNotEndedSince,
  hitColumns,
  joinEntry,
  type NearestAnswer,
  type NearestQuery,
  scopeCte,
  vectorsOfEntries,
} from './channel.ts';
import { readNearestByPgvector, scoreByPgvector } from './pgvector.ts';
import type { VectorSupport } from './support.ts';

/**
 * The vector channel (spec 20 S9): admitted active entries of all Memory Artifacts of a Scope by cosine similarity. `sql`
 * is one snapshot; without pgvector several statements read it.
 */
export function readNearest(sql: Sql, support: VectorSupport, query: NearestQuery): Promise<NearestAnswer> {
  return support.hasPgvector
    ? readNearestByPgvector(sql, support, query)
    : readNearestInProcess(sql, support, query);
}

/** The cosine similarity of given active entries, also below the admission limit. An entry without a vector has no score. */
export async function scoreByVector(
  sql: Sql,
  support: VectorSupport,
  query: NearestQuery,
  entries: readonly EntryKey[],
): Promise<ScoresByEntry> {
  if (entries.length === 0) return new Map();
  const score = support.hasPgvector ? scoreByPgvector : scoreInProcess;
  return await score(sql, support, query, entries);
}

/** Bytes of encoded vectors that a search holds at a time. */
const pageBytes = 4_000_000;

/** A page of a Scope's vectors in the order of their key. Computing the products in SQL takes several times as long. */
const declareReadPage = (name: string, holds: string) =>
  statement(
    name,
    `WITH ${scopeCte}
   SELECT scope.head_revision AS scope_revision, scope.runs, scope.is_quantized, page.*
   FROM scope LEFT JOIN LATERAL (
     SELECT m.artifact_key, m.entry_id, ${encodedVector('m')} AS vector
     FROM memory_embeddings m
     WHERE scope.runs AND m.tenant_id = $1 AND m.scope_key = scope.scope_key AND m.profile_key = $9
       AND (m.artifact_key, m.entry_id) > ($5::bigint, $6::uuid) AND ${holds}
     ORDER BY m.artifact_key, m.entry_id LIMIT CASE WHEN scope.is_quantized THEN $7::bigint ELSE $8::bigint END
   ) AS page ON true`,
    {
      entry_id: tables.memory_embeddings.entry_id.orNull(),
      scope_revision: tables.artifacts.head_revision,
      runs: column.boolean,
      is_quantized: column.boolean,
      artifact_key: tables.memory_embeddings.artifact_key.orNull(),
      vector: column.text.orNull(),
    },
  );

/** $7 and $8 are the sizes of a page with 8 bits a component and of others, $9 the key under which the vectors are stored, and $10 the time. */
const readPage = declareReadPage('read_scope_vectors', hasNotEndedSince);
const readPageAsOf = declareReadPage('read_scope_vectors_as_of', entryHoldsAt('$10'));

const readHits = statement(
  'read_vector_hits',
  `SELECT ${hitColumns}
   FROM unnest($2::bigint[], $3::uuid[], $4::float8[]) AS near(artifact_key, entry_id, score) ${joinEntry}
   ORDER BY ${hitOrder} LIMIT $5`,
  hitRow,
);

const readVectors = statement(
  'read_entry_vectors',
  `SELECT m.artifact_key, m.entry_id, ${encodedVector('m')} AS vector ${vectorsOfEntries}`,
  { ...pick(tables.memory_embeddings, 'artifact_key', 'entry_id'), vector: column.text },
);

interface ScoredEntry extends EntryKey {
  score: number;
}

/**
 * The nearest entries without pgvector: compares the query with every vector of the Scope, page by page, in bounded
 * memory. One round trip for each page; the cost grows with the Scope.
 */
export async function readNearestInProcess(
  sql: Sql,
  { profileKey, scale }: VectorSupport,
  query: NearestQuery,
): Promise<NearestAnswer> {
  const { tenantId, limit, asOf } = query;
  const best = new TopScores<ScoredEntry>(limit, scale.minSimilarity);
  const found = await offerAll(sql, profileKey, profileKey, query, best);
  if (found === undefined) return { headRevision: null, ran: true, hits: [] };
  if (asOf && found.ran && profileKey !== null)
    await offerAll(sql, profileKey, endedProfile(profileKey), query, best);
  return { ...found, hits: await hitsOf(sql, tenantId, best.all(), limit) };
}

/** Offers every vector that is stored under `key`; undefined for a Scope without Memory. */
async function offerAll(
  sql: Sql,
  profileKey: number | null,
  key: number | null,
  { tenantId, scopeId, asOf, vector, onlyIfCovered }: NearestQuery,
  best: TopScores<ScoredEntry>,
): Promise<Omit<NearestAnswer, 'hits'> | undefined> {
  const { dimension } = vector.profile;
  const sizes = { quantized: pageSize(dimension, true), reals: pageSize(dimension, false) };
  let after: EntryKey = { artifact_key: 0 as ArtifactKey, entry_id: lowestId };
  for (;;) {
    const page = [
      tenantId,
      scopeId,
      profileKey,
      onlyIfCovered,
      after.artifact_key,
      after.entry_id,
      sizes.quantized,
      sizes.reals,
      key,
    ];
    const rows = await (asOf ? sql.rows(readPageAsOf, [...page, asOf]) : sql.rows(readPage, page));
    const [first] = rows;
    if (first === undefined) return undefined;
    for (const { artifact_key, entry_id, vector: encoded } of rows) {
      if (artifact_key === null || entry_id === null || encoded === null) break;
      best.offer({ artifact_key, entry_id, score: bestSimilarity(encoded, vector.windows) });
      after = { artifact_key, entry_id };
    }
    const size = first.is_quantized ? sizes.quantized : sizes.reals;
    if (rows.length < size) return { headRevision: first.scope_revision, ran: first.runs };
  }
}

/** Vectors of a page. A process of the release before may have added some to a quantized Scope that are not. */
function pageSize(dimension: number, isQuantized: boolean): number {
  const { quantized, real } = base64PerComponent;
  return Math.max(16, Math.floor(pageBytes / (dimension * (isQuantized ? quantized : real))));
}

/** The cosine similarity of given entries without pgvector. */
export async function scoreInProcess(
  sql: Sql,
  { profileKey }: VectorSupport,
  { tenantId, scopeId, vector }: NearestQuery,
  entries: readonly EntryKey[],
): Promise<ScoresByEntry> {
  const rows = await sql.rows(readVectors, [
    tenantId,
    scopeId,
    profileKey,
    entries.map(({ artifact_key }) => artifact_key),
    entries.map(({ entry_id }) => entry_id),
  ]);
  return new Map(rows.map((row) => [keyOf(row), bestSimilarity(row.vector, vector.windows)]));
}

async function hitsOf(
  sql: Sql,
  tenantId: TenantId,
  near: ScoredEntry[],
  limit: number,
): Promise<ChannelHit[]> {
  if (near.length === 0) return [];
  return await sql.rows(readHits, [
    tenantId,
    near.map(({ artifact_key }) => artifact_key),
    near.map(({ entry_id }) => entry_id),
    near.map(({ score }) => score),
    limit,
  ]);
}
