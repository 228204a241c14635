import {
  column,
  type Database,
  deploymentStatement,
  isWritableHere,
  openDatabase,
  pick,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { JsonObject, JsonValue } from '@continuity/kernel/json';
import {
  countersOf,
  projectionColumns,
  projectionTypes,
  projectionValues,
  projectStoredSource,
  recordCounters,
} from './projection.ts';

/** Sources that one statement reads: at most a megabyte of content each. */
const batchSize = 100;

/** Progress of a backfill. */
export interface BackfillProgress {
  /** Scopes that are projected, and those that are left. */
  done: number;
  left: number;
}

const takeScope = deploymentStatement(
  'take_work_record_backfill',
  `DELETE FROM work_record_backfills WHERE (tenant_id, scope_key) = (
     SELECT tenant_id, scope_key FROM work_record_backfills b WHERE ${isWritableHere('b.tenant_id')} LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING tenant_id, scope_key`,
  pick(tables.work_record_backfills, 'tenant_id', 'scope_key'),
);

const countScopes = deploymentStatement(
  'count_work_record_backfills',
  'SELECT count(*) AS scopes FROM work_record_backfills',
  { scopes: column.bigint },
);

/** Captures of the Scope wait until the transaction ends. */
const lockSequence = statement(
  'lock_sequence_for_backfill',
  'SELECT FROM source_sequences WHERE tenant_id = $1 AND scope_key = $2 FOR NO KEY UPDATE',
);

const deleteRecords = statement(
  'delete_work_records',
  'DELETE FROM work_records WHERE tenant_id = $1 AND scope_key = $2',
);

const readClaims = statement(
  'read_claimed_work_records',
  `SELECT s.position, s.source_id, s.record, s.content, s.metadata
   FROM sources s
   WHERE s.tenant_id = $1 AND s.scope_key = $2 AND s.position > $3 AND s.source_type = 'content'
     AND s.metadata::jsonb ->> 'kind' IN ('work-contract', 'handoff-boundary', 'handoff-receipt', 'task-outcome')
   ORDER BY s.position LIMIT ${batchSize}`,
  pick(tables.sources, 'position', 'source_id', 'record', 'content', 'metadata'),
);

const increments = Object.entries(countersOf('r.kind', 'r.status'));
const columns = Object.entries(projectionTypes);

/** Continues the counters of the last record before the batch. */
const insertRecords = statement(
  'insert_work_records',
  `WITH before AS (
     SELECT ${recordCounters.join(', ')} FROM work_records WHERE tenant_id = $1 AND scope_key = $2
     ORDER BY position DESC LIMIT 1
   )
   INSERT INTO work_records (tenant_id, scope_key, position, source_id, ${projectionColumns}, ${recordCounters.join(', ')})
   SELECT $1, $2, r.position, r.source_id, ${columns.map(([name]) => `r.${name}`).join(', ')},
          ${increments
            .map(
              ([counter, increment]) =>
                `coalesce(b.${counter}, 0) + sum(${increment}) OVER (ORDER BY r.position)`,
            )
            .join(', ')}
   FROM unnest($3::bigint[], $4::text[], ${columns.map(([, type], index) => `$${index + 5}::${type}[]`).join(', ')})
     AS r(position, source_id, ${projectionColumns})
   LEFT JOIN before b ON true`,
);

const storeCounters = statement(
  'store_work_record_counters',
  `UPDATE source_sequences q SET ${recordCounters.map((counter) => `${counter} = w.${counter}`).join(', ')}
   FROM (
     SELECT ${recordCounters.join(', ')} FROM work_records WHERE tenant_id = $1 AND scope_key = $2
     ORDER BY position DESC LIMIT 1
   ) AS w
   WHERE q.tenant_id = $1 AND q.scope_key = $2`,
);

/**
 * Projects the work records of the Scopes that the migration found, one Scope in a transaction. Run it after the migrations;
 * it can be stopped and repeated, and several processes may run it at once. `onProgress` is called after each Scope. Until it has
 * ended, reports lack records of the remaining Scopes.
 */
export async function backfillWorkRecords(
  databaseUrl: string,
  onProgress: (progress: BackfillProgress) => void,
): Promise<void> {
  const database = openDatabase({
    url: databaseUrl,
    size: 1,
    name: 'continuity-backfill',
    onIdleError: () => undefined,
  });
  try {
    for (let done = 1; await backfillNext(database); done += 1) {
      onProgress({ done, left: (await database.sql.first(countScopes, []))?.scopes ?? 0 });
    }
  } finally {
    await database.close();
  }
}

/** False if no Scope is left. */
function backfillNext(database: Database): Promise<boolean> {
  return database.transaction(async (sql) => {
    const scope = await sql.first(takeScope, []);
    if (scope === undefined) return false;
    await projectScope(sql, scope.tenant_id, scope.scope_key);
    return true;
  });
}

async function projectScope(sql: Sql, tenantId: TenantId, scopeKey: ScopeKey): Promise<void> {
  const place = [tenantId, scopeKey];
  await sql.rows(lockSequence, place);
  await sql.rows(deleteRecords, place);
  for (let after = 0, isDone = false; !isDone; ) {
    const claims = await sql.rows(readClaims, [...place, after]);
    isDone = claims.length < batchSize;
    after = claims.at(-1)?.position ?? after;
    const projections = claims.map(({ record, content, metadata }) =>
      projectionValues(
        projectStoredSource(
          record,
          JSON.parse(content) as JsonValue,
          JSON.parse(metadata ?? '{}') as JsonObject,
        ),
      ),
    );
    await sql.rows(insertRecords, [
      ...place,
      claims.map(({ position }) => position),
      claims.map(({ source_id }) => source_id),
      ...columns.map((_column, index) => projections.map((values) => values[index])),
    ]);
  }
  await sql.rows(storeCounters, place);
}
