import { type Sql, statement } from '@continuity/shared/kernel';
import { joinEntry, type NearestAnswer, type NearestQuery, scopeCte, type VectorHit } from './channel.ts';
import { type Near, Nearest } from './kept-nearest.ts';
import type { VectorSupport } from './support.ts';

/** Bytes of vectors, as they travel, that a search holds at a time. */
const pageBytes = 4_000_000;

/** How an element travels: eight bytes of PostgreSQL's binary array, in base64. */
const bytesPerElement = (8 * 4) / 3;

/**
 * A page of a Scope's vectors in the order of their key. In PostgreSQL's binary form, because writing floats as text costs ten
 * times as much as comparing them; in base64, because the driver reads text. Adding the products up in SQL took several times as long.
 */
const readPage = statement(
  'read_scope_vectors',
  `WITH ${scopeCte}
   SELECT scope.head_revision AS scope_revision, scope.runs, page.*
   FROM scope LEFT JOIN LATERAL (
     SELECT m.artifact_key, m.entry_id, encode(array_send(m.embedding), 'base64') AS vector
     FROM memory_embeddings m
     WHERE scope.runs AND m.tenant_id = $1 AND m.scope_key = scope.scope_key AND m.profile_key = $3
       AND (m.artifact_key, m.entry_id) > ($5::bigint, $6::uuid)
     ORDER BY m.artifact_key, m.entry_id LIMIT $7
   ) AS page ON true`,
);

const readHits = statement(
  'read_vector_hits',
  `SELECT a.artifact_id, a.head_revision, near.entry_id, v.entry_version_id, v.kind, v.text, near.score
   FROM unnest($2::bigint[], $3::uuid[], $4::float8[]) AS near(artifact_key, entry_id, score) ${joinEntry}
   ORDER BY near.score DESC, a.artifact_id, near.entry_id LIMIT $5`,
);

interface PageRow {
  scope_revision: number;
  runs: boolean;
  artifact_key: number | null;
  entry_id: string;
  vector: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Without pgvector: compares the query with every vector of the Scope, page by page, in bounded memory. A round trip a page;
 * the cost grows with the Scope.
 */
export async function readNearestInProcess(
  sql: Sql,
  { profileKey }: VectorSupport,
  { tenantId, scopeId, vector, limit, onlyIfCovered }: NearestQuery,
): Promise<NearestAnswer> {
  const { dimension } = vector.profile;
  const size = Math.max(16, Math.floor(pageBytes / (dimension * bytesPerElement)));
  const best = new Nearest(limit);
  let after = { artifactKey: 0, entryId: firstId };
  for (;;) {
    const place = [tenantId, scopeId, profileKey, onlyIfCovered, after.artifactKey, after.entryId, size];
    const rows = await sql.rows<PageRow>(readPage, place);
    const [first] = rows;
    if (first === undefined) return { headRevision: null, ran: true, hits: [] };
    for (const { artifact_key: artifactKey, entry_id: entryId, vector: encoded } of rows) {
      if (artifactKey === null) break;
      best.offer({ artifactKey, entryId, score: dotProduct(encoded, vector.values) });
      after = { artifactKey, entryId };
    }
    if (rows.length < size) {
      const hits = await hitsOf(sql, tenantId, best.all(), limit);
      return { headRevision: first.scope_revision, ran: first.runs, hits };
    }
  }
}

async function hitsOf(sql: Sql, tenantId: number, near: Near[], limit: number): Promise<VectorHit[]> {
  if (near.length === 0) return [];
  return await sql.rows<VectorHit>(readHits, [
    tenantId,
    near.map(({ artifactKey }) => artifactKey),
    near.map(({ entryId }) => entryId),
    near.map(({ score }) => score),
    limit,
  ]);
}

/** Length of the header before the elements: dimensions, flags, type, length, lower bound. */
const headerBytes = 20;

/** Cosine similarity of two unit vectors, of which one is a `real[]` in PostgreSQL's binary form. */
function dotProduct(encoded: string, query: Float32Array): number {
  const bytes = Buffer.from(encoded, 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  // Each element comes behind its own length, of four bytes.
  for (let index = 0; index < query.length; index += 1)
    sum += view.getFloat32(headerBytes + 8 * index + 4) * (query[index] ?? 0);
  return sum;
}
