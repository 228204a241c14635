import { type Database, isUniqueViolation, type Sql, statement } from '@continuity/shared/kernel';
import { scopeForWrite, scopeKey } from '../scopes/index.ts';
import { sourceOfScope } from './identity.ts';
import { sourceTokens } from './tokens.ts';

/** Records that are Sources: the request of an Artifact write, which is lineage only, and those of the Work operations. */
export type SourceRecordKind = 'artifact-write' | WorkRecordKind;
export type WorkRecordKind = 'work-contract' | 'handoff-boundary' | 'handoff-receipt' | 'task-outcome';

/** One Source on its way into a Scope. */
export interface NewSource {
  tenantId: number;
  scopeId: string;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON. */
  content: string;
  contentDigest: Buffer;
  /** Canonical JSON of the metadata; null for none and for the empty object. */
  metadata: string | null;
  /** Whether extraction reads it (spec 20 F6). */
  eligible: boolean;
  /** What the service itself writes here; null for what a caller captured. */
  record: SourceRecordKind | null;
  /** Only for a Source of a registered type. */
  observation?: ObservedParts;
}

/** What an observation has besides its content. */
export interface ObservedParts {
  /** SHA-256 over all of the observation: equal for equal ones. */
  digest: Buffer;
  /** `value` is canonical JSON. */
  projections: { name: string; version: string; value: string }[];
}

/** When a Scope with a new Source is flushed by itself (spec 20 A1); null where automatic flush is off. */
export interface FlushDelay {
  debounceMs: number;
  maxDelayMs: number;
}

export interface AppendedSource {
  scopeKey: number;
  position: number;
}

/** What stands under an id already. */
export interface ExistingSource extends AppendedSource {
  contentDigest: Buffer;
  isEqual: boolean;
}

type Appended =
  | { outcome: 'appended'; source: AppendedSource }
  | { outcome: 'exists'; source: ExistingSource };

interface AppendRow {
  existing_position: number | null;
  existing_digest: Buffer | null;
  is_equal: boolean | null;
  scope_key: number | null;
  position: number | null;
}

/**
 * The line's row is locked before the position is taken, so that positions have no gap and become visible in order
 * (spec 10 §8). Of two writers of one id the second meets the unique index, and its position is taken back with it.
 */
const append = statement('append_source', appendText({ equal: '', column: '', value: '', projected: '' }));

/** The same for a Source with projections: they are there with it, or not at all. */
const appendObserved = statement(
  'append_observed_source',
  appendText({
    equal: 'AND s.observation_digest IS NOT DISTINCT FROM $13',
    column: ', observation_digest',
    value: ', $13',
    projected: `, projected AS (
     INSERT INTO source_projections (tenant_id, scope_key, position, name, version, value)
     SELECT $1, scope_key, last_position, p.*
     FROM line CROSS JOIN unnest($14::text[], $15::text[], $16::text[]) AS p
   )`,
  }),
);

function appendText(observed: Record<'equal' | 'column' | 'value' | 'projected', string>): string {
  return `WITH existing AS (
     SELECT s.scope_key, s.position, s.content_digest,
            s.content = $5 AND s.metadata IS NOT DISTINCT FROM $7 ${observed.equal} AS is_equal
     FROM sources s
     WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4
   ), line AS (
     UPDATE source_lines l SET
       last_position = last_position + 1,
       eligible_count = eligible_count + $8::boolean::int,
       pending_since = CASE WHEN $8 THEN coalesce(pending_since, now()) ELSE pending_since END,
       flush_due_at = CASE WHEN $8 AND failed_flushes = 0 AND $9::int IS NOT NULL
         THEN least(coalesce(pending_since, now()) + $10::int * interval '1 ms', now() + $9::int * interval '1 ms')
         ELSE flush_due_at END
     WHERE l.tenant_id = $1 AND l.scope_key = ${scopeKey} AND NOT EXISTS (SELECT FROM existing)
     RETURNING l.scope_key, l.last_position
   ), added AS (
     INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, metadata, eligible, record,
       tokens ${observed.column})
     SELECT $1, scope_key, last_position, $3, $4, $5, $6, $7, $8, $11, $12 ${observed.value} FROM line
   ) ${observed.projected}
   SELECT e.position AS existing_position, e.content_digest AS existing_digest, e.is_equal,
          coalesce(e.scope_key, l.scope_key) AS scope_key, l.last_position AS position
   FROM (VALUES (1)) AS one LEFT JOIN existing e ON true LEFT JOIN line l ON true`;
}

const openLine = statement(
  'open_source_line',
  'INSERT INTO source_lines (tenant_id, scope_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

/**
 * Appends a Source at the next position of a Scope that has a line of Sources, or says what stands under its id. Undefined
 * when the Scope has no line yet. One statement.
 */
export async function appendToLine(
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
  ];
  const { observation } = source;
  const row =
    observation === undefined
      ? await sql.first<AppendRow>(append, values)
      : await sql.first<AppendRow>(appendObserved, [...values, ...observedValues(observation)]);
  return row === undefined ? undefined : outcomeOf(row);
}

/** As `appendToLine`, and makes Scope and line where they are missing. For use inside a transaction. */
export async function appendSource(sql: Sql, source: NewSource, delay: FlushDelay | null): Promise<Appended> {
  const appended = await appendToLine(sql, source, delay);
  if (appended !== undefined) return appended;
  const scopeKey = await scopeForWrite(sql, source.tenantId, source.scopeId);
  await openSourceLine(sql, source.tenantId, scopeKey);
  const second = await appendToLine(sql, source, delay);
  if (second === undefined) throw new Error('A line of Sources that was just opened is not there.');
  return second;
}

/** As `appendSource`, as a transaction of its own: one statement where the Scope has Sources already. */
export function appendAlone(
  database: Pick<Database, 'sql' | 'transaction'>,
  source: NewSource,
  delay: FlushDelay | null,
): Promise<Appended> {
  return appendUnderId(
    async () =>
      (await appendToLine(database.sql, source, delay)) ??
      (await database.transaction((sql) => appendSource(sql, source, delay))),
  );
}

/** Makes the line of Sources of a known Scope where it is missing. */
export async function openSourceLine(sql: Sql, tenantId: number, scopeKey: number): Promise<void> {
  await sql.rows(openLine, [tenantId, scopeKey]);
}

/** Runs the write of a Source under an id; the slower one of two concurrent ones runs again, and finds the other's. */
export async function appendUnderId<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'sources_identity')) throw error;
    return write();
  }
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
