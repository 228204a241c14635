import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import {
  type DistanceQuery,
  exactDistance,
  exactDistances,
  exactLimit,
  indexedDistances,
} from '../../../search/index.ts';
import { type EntryKey, keyOf, type ScoresByEntry } from '../entry-key.ts';
import type { ChannelHit } from '../lexical-statements.ts';
import {
  hitColumns,
  joinEntry,
  leastSimilarity,
  type NearestAnswer,
  type NearestQuery,
  scopeCte,
  vectorsOfEntries,
  vectorTable,
} from './channel.ts';
import type { VectorSupport } from './support.ts';

const nearestStatement = (name: string, distances: string) =>
  statement(
    name,
    `WITH ${scopeCte}, candidate AS MATERIALIZED (${distances}
   ), near AS MATERIALIZED (
     SELECT c.artifact_key, c.entry_id, 1 - c.distance AS score, a.artifact_id
     FROM candidate c CROSS JOIN LATERAL (
       SELECT a.artifact_id FROM artifacts a WHERE a.tenant_id = $1 AND a.artifact_key = c.artifact_key OFFSET 0
     ) AS a
     WHERE c.distance <= ${1 - leastSimilarity}
     ORDER BY c.distance, a.artifact_id, c.entry_id LIMIT $6
   ), hit AS (
     SELECT ${hitColumns} FROM near ${joinEntry}
   )
   SELECT scope.head_revision AS scope_revision, scope.runs, hit.*
   FROM scope LEFT JOIN hit ON true
   ORDER BY hit.score DESC, hit.artifact_id, hit.entry_id`,
  );

const statements = new Map<string, Statement>();

/** Each statement once. A process searches in one profile and dimension. */
function once(name: string, make: () => Statement): Statement {
  const made = statements.get(name) ?? make();
  statements.set(name, made);
  return made;
}

/** Distances to the candidates of `scope`, where `condition` holds for it. */
function fromScope(distances: string, condition: string): string {
  return `
     SELECT d.* FROM scope CROSS JOIN LATERAL (${distances}
     ) AS d WHERE scope.runs AND ${condition}`;
}

/** @param indexedProfile the profile that has an HNSW index; null where none has */
function nearestFor(dimension: number, indexedProfile: number | null): Statement {
  const query: DistanceQuery = {
    dimension,
    tenant: '$1',
    scopeKey: 'scope.scope_key',
    profileKey: '$3',
    vector: '$5',
  };
  const exact = exactDistances(vectorTable, query);
  if (indexedProfile === null) {
    const name = `nearest_exact_${dimension}`;
    return once(name, () => nearestStatement(name, fromScope(exact, 'true')));
  }
  const name = `nearest_indexed_${dimension}_${indexedProfile}`;
  return once(name, () => {
    const indexed = indexedDistances(vectorTable, { ...query, profileKey: String(indexedProfile) }, '$6');
    const isSmall = 'scope.embedded <= $7::bigint';
    return nearestStatement(
      name,
      `${fromScope(exact, isSmall)} UNION ALL (${fromScope(indexed, `NOT (${isSmall})`)})`,
    );
  });
}

interface Row extends ChannelHit {
  scope_revision: number;
  runs: boolean;
}

/** The nearest entries by pgvector, in one statement. */
export async function readNearestByPgvector(
  sql: Sql,
  { profileKey, indexed }: VectorSupport,
  { tenantId, scopeId, vector, limit, onlyIfCovered }: NearestQuery,
): Promise<NearestAnswer> {
  const nearest = nearestFor(vector.profile.dimension, indexed === null ? null : profileKey);
  const rows = await sql.rows<Row>(nearest, [
    tenantId,
    scopeId,
    profileKey,
    onlyIfCovered,
    vectorText(vector.values),
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

/** The cosine similarity of given entries by pgvector. */
export async function scoreByPgvector(
  sql: Sql,
  { profileKey }: VectorSupport,
  { tenantId, scopeId, vector }: NearestQuery,
  entries: readonly EntryKey[],
): Promise<ScoresByEntry> {
  const { dimension } = vector.profile;
  const name = `score_entries_by_pgvector_${dimension}`;
  const score = once(name, () => {
    const distance = exactDistance('m.embedding', {
      dimension,
      tenant: '$1',
      scopeKey: '',
      profileKey: '$3',
      vector: '$6',
    });
    return statement(
      name,
      `SELECT m.artifact_key, m.entry_id, 1 - (${distance}) AS score ${vectorsOfEntries}`,
    );
  });
  const rows = await sql.rows<EntryKey & { score: number }>(score, [
    tenantId,
    scopeId,
    profileKey,
    entries.map(({ artifact_key }) => artifact_key),
    entries.map(({ entry_id }) => entry_id),
    vectorText(vector.values),
  ]);
  return new Map(rows.map((row) => [keyOf(row), row.score]));
}

function vectorText(values: Float32Array): string {
  return `[${values.join(',')}]`;
}
