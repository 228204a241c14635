import { column, pick, type RowOf, type Statement, statement, tables } from '@continuity/kernel/database';
import {
  type DistanceQuery,
  exactDistance,
  exactDistances,
  indexedDistances,
} from '../../../search/index.ts';
import { hitOrder, hitRow } from '../lexical-statements.ts';
import {
  entryHoldsAt,
  hasNotEndedSince,
  hitColumns,
  joinEntry,
  scopeCte,
  vectorsOfEntries,
  vectorTable,
} from './channel.ts';

/** A search without a hit has one row, whose columns of `hitRow` are null. */
const nearestRow = {
  ...hitRow,
  /** Head revision of the Scope Memory. */
  scope_revision: tables.artifacts.head_revision,
  runs: column.boolean,
};

const scoreRow = { ...pick(tables.memory_embeddings, 'artifact_key', 'entry_id'), score: column.double };

const declareNearest = (name: string, distances: string) =>
  statement(
    name,
    `WITH ${scopeCte}, measured AS MATERIALIZED (${distances}
   ), near AS MATERIALIZED (
     SELECT artifact_key, entry_id, 1 - distance AS score FROM measured
     WHERE distance <= $7::float8
     ORDER BY distance FETCH FIRST $6 ROWS WITH TIES
   ), hit AS (
     SELECT ${hitColumns} FROM near ${joinEntry} ORDER BY ${hitOrder} LIMIT $6
   )
   SELECT scope.head_revision AS scope_revision, scope.runs, hit.*
   FROM scope LEFT JOIN hit ON true
   ORDER BY ${hitOrder}`,
    nearestRow,
  );

/** Distances to the entries of `scope`, where `condition` holds for it. */
function fromScope(distances: string, condition: string): string {
  return `
     SELECT d.* FROM scope CROSS JOIN LATERAL (${distances}
     ) AS d WHERE scope.runs AND ${condition}`;
}

const nearestStatements = new Map<string, Statement<RowOf<typeof nearestRow>>>();
const scoreStatements = new Map<string, Statement<RowOf<typeof scoreRow>>>();

/** Declares each statement once: a process searches in one profile and dimension. */
function cached<S>(statements: Map<string, S>, name: string, declare: () => S): S {
  const known = statements.get(name) ?? declare();
  statements.set(name, known);
  return known;
}

/**
 * The nearest entries of a Scope.
 * @param indexedProfile the profile that has an HNSW index; null if none has
 */
export function nearestStatement(dimension: number, indexedProfile: number | null) {
  const query: DistanceQuery = {
    dimension,
    tenant: '$1',
    scopeKey: 'scope.scope_key',
    profileKey: '$3',
    vector: '$5',
    condition: hasNotEndedSince,
  };
  const exact = exactDistances(vectorTable, query);
  if (indexedProfile === null) {
    const name = `nearest_exact_${dimension}`;
    return cached(nearestStatements, name, () => declareNearest(name, fromScope(exact, 'true')));
  }
  const name = `nearest_indexed_${dimension}_${indexedProfile}`;
  return cached(nearestStatements, name, () => {
    const indexed = indexedDistances(vectorTable, { ...query, profileKey: String(indexedProfile) }, '$6');
    const isSmall = 'scope.embedded <= $8::bigint';
    return declareNearest(
      name,
      `${fromScope(exact, isSmall)} UNION ALL (${fromScope(indexed, `NOT (${isSmall})`)})`,
    );
  });
}

/** The nearest entries of a Scope that held at the time $8: each vector is compared, those of ended entries too. */
export function nearestAsOfStatement(dimension: number) {
  const name = `nearest_as_of_${dimension}`;
  return cached(nearestStatements, name, () => {
    const ofProfile = (profileKey: string): string =>
      exactDistances(vectorTable, {
        ...{ dimension, profileKey },
        ...{ tenant: '$1', scopeKey: 'scope.scope_key', vector: '$5', condition: entryHoldsAt('$8') },
      });
    const distances = `${fromScope(ofProfile('$3'), 'true')} UNION ALL ${fromScope(ofProfile('-$3::int'), 'true')}`;
    return declareNearest(name, distances);
  });
}

/** The cosine similarity of given entries. */
export function scoreStatement(dimension: number) {
  const name = `score_entries_by_pgvector_${dimension}`;
  return cached(scoreStatements, name, () => {
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
      scoreRow,
    );
  });
}
