import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import { Counters, type Of } from './counters.ts';
import type { CounterTable } from './newer.ts';
import { packed, unpack } from './packed.ts';

/** What statistics are read of. */
export interface Counting {
  tenantId: number;
  /** Scopes that are told one by one, and those that are not: the values $2 and $3, written once for all queries. */
  keys: [listed: string, others: string];
}

/** Reads the counters of the tenant's Scopes with these keys. */
export function countingOf(tenantId: number, listed: readonly number[], others: readonly number[]): Counting {
  return { tenantId, keys: [`{${listed.join(',')}}`, `{${others.join(',')}}`] };
}

interface Counted {
  table: CounterTable;
  where?: string;
  /** What is counted apart within a Scope: numbers, and then names of ours, in which there is no comma. */
  numbers?: string[];
  names?: string[];
  /** What is added up; after that, figures of which one that is unknown makes the sum unknown. */
  figures: string[];
  nullable?: string[];
}

/** A statement that reads counters of a table, and which of its columns are names. */
export interface CounterQuery {
  table: CounterTable;
  statement: Statement;
  areNames: boolean[];
}

/**
 * The counters of each Scope in $2, and the sums over those in $3: ranges of the table's key. Each column comes as one text,
 * because rows of their own would cost server and driver several times as much as what is in them.
 */
export function counterQuery(name: string, counted: Counted): CounterQuery {
  const { table, where = 'true', numbers = [], names = [], figures, nullable = [] } = counted;
  const inScopes = (keys: string) =>
    `FROM ${table} WHERE tenant_id = $1 AND scope_key = ANY (${keys}::bigint[]) AND ${where}`;
  const apart = [...numbers, ...names];
  const columns = ['scope_key', ...apart, ...figures, ...nullable];
  const sums = [
    ...figures.map((figure) => `coalesce(sum(${figure}), 0)::bigint`),
    ...nullable.map((figure) => `CASE WHEN count(*) = count(${figure}) THEN sum(${figure})::bigint END`),
  ];
  const columnName = (_: string, place: number) => `c${place}`;
  const areNames = columns.map((column) => names.includes(column));
  const columnText = (isName: boolean, place: number) =>
    `${isName ? `string_agg(c${place}, ',')` : packed(`c${place}`)} AS c${place}`;
  const text = `
    SELECT ${areNames.map(columnText).join(', ')}
    FROM (
      SELECT ${columns.join(', ')} ${inScopes('$2')}
      UNION ALL
      SELECT NULL, ${[...apart, ...sums].join(', ')} ${inScopes('$3')}
      ${apart.length === 0 ? '' : `GROUP BY ${apart.join(', ')}`}
    ) AS counted(${columns.map(columnName).join(', ')})`;
  return { table, statement: statement(name, text), areNames };
}

/** Runs a query. Its counters are tuples, in the order of its columns. `more` are the values from $4 on. */
export async function readCounters<Counter extends [Of, ...unknown[]]>(
  sql: Sql,
  { statement, areNames }: CounterQuery,
  { tenantId, keys }: Counting,
  more: unknown[] = [],
): Promise<Counters<Counter>> {
  const row = (await sql.first<Record<string, string | null>>(statement, [tenantId, ...keys, ...more])) ?? {};
  const columns = Object.values(row).map((column, place) =>
    areNames[place] === true ? (column?.split(',') ?? []) : unpack(column),
  );
  return new Counters<Counter>(columns);
}
