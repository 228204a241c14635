import { type Sql, statement } from '@continuity/shared/kernel';
import { packed, unpack } from './packed.ts';

/** The tables of counters, and which of their rows may count in a period that begins at $4. */
const tables = {
  source_lines: 'true',
  artifact_counts: 'true',
  memory_totals: 'true',
  model_usage_days: 'day >= $4::date',
  recall_days: 'day >= $4::date',
};

export type CounterTable = keyof typeof tables;

const tableNames = Object.keys(tables) as CounterTable[];

/**
 * A moment, as the oldest transaction that had not ended then. Whatever is seen later and was not seen then was written by it or
 * by one that began after it, also where that commits long after others. Rows of a savepoint have a number of their own: a later
 * one than that of their transaction. It is one of a server that goes on: after a crash, a restore or a change of servers the
 * same numbers may be given out again.
 */
export type Horizon = string;

/** The Scopes whose counters may have changed since a horizon, table by table. */
export type NewerScopes = Readonly<Record<CounterTable, readonly number[]>>;

const horizonOfSnapshot = 'pg_snapshot_xmin(pg_current_snapshot())::xid::text AS horizon';

const selectHorizon = statement('stats_horizon', `SELECT ${horizonOfSnapshot}`);

/** The moment of the snapshot that `sql` reads on. */
export async function readHorizon(sql: Sql): Promise<Horizon> {
  const row = await sql.first<{ horizon: Horizon }>(selectHorizon, []);
  if (row === undefined) throw new Error('A snapshot has no horizon.');
  return row.horizon;
}

/** No Scope has it. */
const noScope = 0;

/**
 * Ages go round after four billion transactions: a row that has not been written for half as long may be taken for a newer one,
 * and no newer one for it. What is deleted cannot be told: counters are not.
 *
 * A row that is one of two things is looked up by a bitmap, so that each page of the table is visited once: twice as fast as row by
 * row, which the server would do because it expects ten Scopes.
 */
const newerIn = (table: CounterTable) => `
  SELECT ${packed('scope_key')} FROM ${table}
  WHERE tenant_id = $1 AND (scope_key = ANY ($2::bigint[]) AND ${tables[table]} OR scope_key = ${noScope})
    AND age(xmin) <= age($3::xid)`;

const selectNewer = statement(
  'stats_newer',
  `SELECT ${horizonOfSnapshot}, ${tableNames.map((table) => `(${newerIn(table)}) AS ${table}`).join(', ')}`,
);

/** What has changed since a horizon, and the horizon up to which. */
export interface Newer {
  horizon: Horizon;
  scopeKeys: NewerScopes;
}

/** Where what is newer is looked for. */
export interface LookedFor {
  tenantId: number;
  /** Keys of Scopes, as they are sent. The server has less work with ascending ones. */
  scopeKeys: string;
  /** The first day that counts. */
  startDate: string;
}

/** What has changed since a horizon, up to the snapshot that `sql` reads on. */
export async function readNewer(
  sql: Sql,
  since: Horizon,
  { tenantId, scopeKeys, startDate }: LookedFor,
): Promise<Newer> {
  const row = await sql.first<NewerRow>(selectNewer, [tenantId, scopeKeys, since, startDate]);
  if (row === undefined) throw new Error('A snapshot has no horizon.');
  const scopesOf = (table: CounterTable) => [...new Set(unpack(row[table]))].filter((key) => key !== null);
  return {
    horizon: row.horizon,
    scopeKeys: {
      source_lines: scopesOf('source_lines'),
      artifact_counts: scopesOf('artifact_counts'),
      memory_totals: scopesOf('memory_totals'),
      model_usage_days: scopesOf('model_usage_days'),
      recall_days: scopesOf('recall_days'),
    },
  };
}

type NewerRow = { horizon: Horizon } & Record<CounterTable, string | null>;
