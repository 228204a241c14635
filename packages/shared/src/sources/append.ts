import {
  column,
  type Database,
  type RowOfStatement,
  type ScopeKey,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { ensureScope, scopeKey } from '../scopes/index.ts';
import {
  countersOf,
  projectionColumns,
  projectionTypes,
  projectionValues,
  recordCounters,
} from '../work-records/index.ts';
import { ensureSourceSequence } from './positions.ts';
import { type NewSource, type ObservedParts, sourceOfScope, sourceTokens } from './source.ts';

/** As `appendToSequence`, but creates a missing Scope or sequence. For use inside a transaction. */
export async function appendSource(sql: Sql, source: NewSource, delay: FlushDelay | null): Promise<Appended> {
  const appended = await appendToSequence(sql, source, delay);
  if (appended !== undefined) return appended;
  const scopeKey = await ensureScope(sql, source.tenantId, source.scopeId);
  await ensureSourceSequence(sql, source.tenantId, scopeKey);
  const second = await appendToSequence(sql, source, delay);
  if (second === undefined) throw new Error('The Source sequence of the Scope was created but not found.');
  return second;
}

/** As `appendSource`, in its own transaction; a single statement if the Scope has a sequence. */
export function appendAlone(
  database: Pick<Database, 'lockingSql' | 'transaction'>,
  source: NewSource,
  delay: FlushDelay | null,
): Promise<Appended> {
  return appendUnderId(
    async () =>
      (await appendToSequence(database.lockingSql, source, delay)) ??
      (await database.transaction((sql) => appendSource(sql, source, delay))),
  );
}

/** Runs `write`, and once more if a concurrent request has stored a Source with the same id. */
export async function appendUnderId<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'sources_identity')) throw error;
    return write();
  }
}

/** Delay of the automatic flush after an append (spec 20 A1). */
export interface FlushDelay {
  debounceMs: number;
  maxDelayMs: number;
}

interface AppendedSource {
  scopeKey: ScopeKey;
  position: number;
}

/** A stored Source with the id of the new one. */
interface ExistingSource extends AppendedSource {
  contentDigest: Buffer;
  isEqual: boolean;
}

export type Appended =
  | { outcome: 'appended'; source: AppendedSource }
  | { outcome: 'exists'; source: ExistingSource };

/** Columns of the append statements. */
const appendColumns = {
  existing_position: tables.sources.position.orNull(),
  existing_digest: tables.sources.content_digest.orNull(),
  is_equal: column.boolean.orNull(),
  scope_key: column.bigint.as<ScopeKey>().orNull(),
  position: tables.source_sequences.last_position.orNull(),
};

/**
 * Locks the Scope's sequence before it takes the next position. So positions are gapless and become visible in order (spec 10 §8), and
 * capture times never decrease along them. Of two concurrent writers of one id, the second violates the unique index and rolls its
 * position back.
 */
const append = statement('append_source', appendText({}), appendColumns);

/** The same for an observation; its projections are inserted atomically with it. */
const appendObserved = statement(
  'append_observed_source',
  appendText({
    equal: 'AND s.observation_digest IS NOT DISTINCT FROM $14',
    column: ', observation_digest',
    value: ', $14',
    also: `, projected AS (
     INSERT INTO source_projections (tenant_id, scope_key, position, name, version, value)
     SELECT $1, scope_key, last_position, p.*
     FROM sequence CROSS JOIN unnest($15::text[], $16::text[], $17::text[]) AS p
   )`,
  }),
  appendColumns,
);

const recordIncrements = Object.entries(countersOf('$14::text', '$15::text'));
const recordParameters = Object.values(projectionTypes).map((type, index) => `$${index + 14}::${type}`);

/** The same for a work record; its projection is inserted, and counted, atomically with it. */
const appendRecord = statement(
  'append_work_record',
  appendText({
    counts: [
      ...recordIncrements.map(([counter, increment]) => `, ${counter} = ${counter} + ${increment}`),
      // A task outcome makes its Scope due for incubation (spec 40 §2.3).
      `, incubation_due_at = CASE WHEN $11::text = 'task-outcome' THEN coalesce(incubation_due_at, now()) ELSE incubation_due_at END`,
    ].join(''),
    returned: recordCounters.map((counter) => `, q.${counter}`).join(''),
    also: `, recorded AS (
     INSERT INTO work_records (tenant_id, scope_key, position, source_id, ${projectionColumns}, ${recordCounters.join(', ')})
     SELECT $1, scope_key, last_position, $4, ${recordParameters.join(', ')}, ${recordCounters.join(', ')} FROM sequence
   )`,
  }),
  appendColumns,
);

type AppendRow = RowOfStatement<typeof append>;

function appendText({
  equal = '',
  column = '',
  value = '',
  counts = '',
  returned = '',
  also = '',
}: Partial<Record<'equal' | 'column' | 'value' | 'counts' | 'returned' | 'also', string>>): string {
  return `WITH existing AS (
     SELECT s.scope_key, s.position, s.content_digest,
            s.content = $5 AND s.metadata IS NOT DISTINCT FROM $7 AND s.occurred_at IS NOT DISTINCT FROM $13 ${equal} AS is_equal
     FROM sources s
     WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4
   ), sequence AS (
     UPDATE source_sequences q SET
       last_position = last_position + 1,
       last_captured_at = greatest(last_captured_at, clock_timestamp()),
       eligible_count = eligible_count + $8::boolean::int,
       pending_since = CASE WHEN $8 THEN coalesce(pending_since, now()) ELSE pending_since END,
       flush_due_at = CASE WHEN $8 AND failed_flushes = 0 AND $9::int IS NOT NULL
         THEN least(coalesce(pending_since, now()) + $10::int * interval '1 ms', now() + $9::int * interval '1 ms')
         ELSE flush_due_at END ${counts}
     WHERE q.tenant_id = $1 AND q.scope_key = ${scopeKey} AND NOT EXISTS (SELECT FROM existing)
     RETURNING q.scope_key, q.last_position, q.last_captured_at ${returned}
   ), added AS (
     INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, metadata, eligible, record,
       tokens, created_at, occurred_at ${column})
     SELECT $1, scope_key, last_position, $3, $4, $5, $6, $7, $8, $11, $12, last_captured_at, $13 ${value} FROM sequence
   ) ${also}
   SELECT e.position AS existing_position, e.content_digest AS existing_digest, e.is_equal,
          coalesce(e.scope_key, q.scope_key) AS scope_key, q.last_position AS position
   FROM (VALUES (1)) AS one LEFT JOIN existing e ON true LEFT JOIN sequence q ON true`;
}

/**
 * Appends a Source at the next position of its Scope, or returns the stored Source with its id. One statement. Returns
 * undefined if the Scope has no sequence yet.
 */
export async function appendToSequence(
  sql: Sql,
  source: NewSource,
  delay: FlushDelay | null,
): Promise<Appended | undefined> {
  const values = [
    source.tenantId,
    source.scopeId,
    source.sourceType,
    source.sourceId,
    source.content,
    source.contentDigest,
    source.metadata,
    source.eligible,
    delay?.debounceMs ?? null,
    delay?.maxDelayMs ?? null,
    source.record,
    sourceTokens(source.content),
    source.occurredAt ?? null,
  ];
  const row = await runAppend(sql, source, values);
  return row === undefined ? undefined : outcomeOf(row);
}

function runAppend(sql: Sql, { observation, projection }: NewSource, values: unknown[]) {
  if (observation !== undefined)
    return sql.first(appendObserved, [...values, ...observedValues(observation)]);
  if (projection !== undefined) return sql.first(appendRecord, [...values, ...projectionValues(projection)]);
  return sql.first(append, values);
}

function observedValues({ digest, projections }: ObservedParts): unknown[] {
  return [
    digest,
    projections.map(({ name }) => name),
    projections.map(({ version }) => version),
    projections.map(({ value }) => value),
  ];
}

function outcomeOf(row: AppendRow): Appended | undefined {
  if (row.scope_key === null) return undefined;
  if (row.position !== null) {
    return { outcome: 'appended', source: { scopeKey: row.scope_key, position: row.position } };
  }
  if (row.existing_position === null || row.existing_digest === null) return undefined;
  return {
    outcome: 'exists',
    source: {
      scopeKey: row.scope_key,
      position: row.existing_position,
      contentDigest: row.existing_digest,
      isEqual: row.is_equal === true,
    },
  };
}
