import pg from 'pg';
import { MoveRefusedError } from './refused-error.ts';
import type { MoveSession } from './session.ts';

const quote = pg.escapeIdentifier;

/** Tables that have `tenant_id`, but whose rows stay where they are: they belong to the deployment. */
export const tablesOfDeployment = ['tenant_servers', 'tenant_moves', 'tenant_changes'];

interface Column {
  name: string;
  type: string;
  isGenerated: boolean;
}

/** A table with rows of tenants. */
export interface TenantTable {
  name: string;
  columns: Column[];
  /** Columns of the primary key. The first one is `tenant_id`. */
  key: Column[];
  /** Tables that its foreign keys lead to. */
  references: string[];
}

/** Tables that are copied together, because their rows refer to each other. One table in most cases. */
export interface TableGroup {
  tables: TenantTable[];
  /** Whether all rows are copied in one transaction: a row may refer to one with a later key. */
  isWhole: boolean;
}

const selectTables = `
  SELECT c.relname AS name,
    (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'isGenerated', a.attgenerated <> '') ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT jsonb_agg(a.attname ORDER BY k.place)
     FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
     WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    (SELECT coalesce(jsonb_agg(DISTINCT t.relname), '[]') FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
     WHERE f.conrelid = c.oid AND f.contype = 'f') AS references
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> ALL($1::text[])
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
  ORDER BY c.relname`;

interface TableRow {
  name: string;
  columns: Column[];
  key: string[] | null;
  references: string[];
}

/** Reads the tables with rows of tenants from the catalog, so that a new one is never forgotten. */
export async function readTenantTables(session: MoveSession): Promise<TenantTable[]> {
  const { rows } = await session.query<TableRow>(selectTables, [tablesOfDeployment]);
  return rows.map(({ name, columns, key, references }) => ({
    name,
    columns,
    references,
    key: (key ?? []).map((part) => {
      const column = columns.find((one) => one.name === part);
      if (column === undefined) throw new Error(`The key of ${name} has no column.`);
      return column;
    }),
  }));
}

/** Whether both lists have the same tables, with the same columns in any order. */
export function hasSameTables(one: readonly TenantTable[], other: readonly TenantTable[]): boolean {
  const describe = (tables: readonly TenantTable[]) =>
    JSON.stringify(
      tables.map(({ name, columns, key }) => [
        name,
        columns.map((column) => [column.name, column.type]).sort(),
        key.map((column) => column.name),
      ]),
    );
  return describe(one) === describe(other);
}

/** Throws a `MoveRefusedError` unless both servers have the same tables. */
export function requireSameTables(one: readonly TenantTable[], other: readonly TenantTable[]): void {
  if (!hasSameTables(one, other))
    throw new MoveRefusedError(
      'The two servers have different schemas: migrate them by `node dist/migrate.mjs`, then repeat the command.',
    );
  const keyless = one.find(({ key }) => key[0]?.name !== 'tenant_id');
  if (keyless !== undefined)
    throw new MoveRefusedError(`The primary key of the table ${keyless.name} does not begin with tenant_id.`);
}

/** Divides the tables into groups, so that the rows of a group refer to rows of this group and of earlier ones alone. */
export function groupTables(tables: readonly TenantTable[]): TableGroup[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const reachable = new Map(tables.map(({ name }) => [name, reachableFrom(name, byName)]));
  const groups: TableGroup[] = [];
  const grouped = new Set<string>();
  while (grouped.size < tables.length) {
    const before = grouped.size;
    for (const { name } of tables) {
      if (grouped.has(name)) continue;
      const own = tables.filter(
        (other) =>
          other.name === name ||
          (reachable.get(name)?.has(other.name) && reachable.get(other.name)?.has(name)),
      );
      const isOwn = (other: string) => own.some((table) => table.name === other);
      const isNext = own.every(({ references }) =>
        references.every((other) => isOwn(other) || grouped.has(other) || !byName.has(other)),
      );
      if (!isNext) continue;
      groups.push({ tables: own, isWhole: reachable.get(name)?.has(name) === true });
      for (const table of own) grouped.add(table.name);
    }
    if (grouped.size === before) throw new Error('The tables have no order.');
  }
  return groups;
}

function reachableFrom(name: string, byName: ReadonlyMap<string, TenantTable>): Set<string> {
  const found = new Set<string>();
  const visit = (from: string) => {
    for (const next of byName.get(from)?.references ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(name);
  return found;
}

/** SQL for the key of the row `alias` as an array of texts. */
export function keySql({ key }: TenantTable, alias: string): string {
  return `ARRAY[${key.map(({ name }) => `(${alias}).${quote(name)}::text`).join(', ')}]`;
}

/** The key columns of a table in SQL. */
export function keyList({ key }: TenantTable): string {
  return key.map(({ name }) => quote(name)).join(', ');
}

/** The name of a table in SQL. */
export function tableSql({ name }: TenantTable): string {
  return `public.${quote(name)}`;
}
