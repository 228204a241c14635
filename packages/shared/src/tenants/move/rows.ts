import { chunksOf, type TenantId } from '@continuity/kernel/database';
import pg from 'pg';
import { mapProfileKey, mappedProfileSql, type ProfileKeys, profileColumn } from './profiles.ts';
import type { MoveSession } from './session.ts';
import { keyList, keySql, type TenantTable, tableSql } from './tenant-tables.ts';

const quote = pg.escapeIdentifier;

/** The primary key of a row, each value as text. */
export type RowKey = string[];

/** Limits of one batch: its rows, and their size in bytes. One row may be larger. */
const batchRows = 4_000;
const batchBytes = 4 * 1024 ** 2;

/** A batch of rows in the order of their keys. */
export interface Batch {
  /** Each row as text, as PostgreSQL writes and reads a composite value. */
  rows: string[];
  /** Key of the last row; undefined if there is none. */
  last: RowKey | undefined;
}

/** Reads the rows of a tenant that follow a key, or the first ones, up to the limits of a batch. */
export async function readBatch(
  source: MoveSession,
  table: TenantTable,
  tenantId: TenantId,
  { after, profiles }: { after: RowKey | null; profiles: ProfileKeys },
): Promise<Batch> {
  const from = after === null ? '' : ` AND (${keyList(table)}) > (${placeholders(table, 2)})`;
  const { rows: sizes } = await source.query<{ key: RowKey; size: string }>(
    `SELECT ${keySql(table, 't')} AS key, ${sizeSql(table)}::text AS size FROM ${tableSql(table)} t
     WHERE tenant_id = $1${from} ORDER BY ${keyList(table)} LIMIT ${batchRows}`,
    [tenantId, ...(after ?? [])],
  );
  const last = sizes[fittingCount(sizes) - 1]?.key;
  if (last === undefined) return { rows: [], last };
  const until = ` AND (${keyList(table)}) <= (${placeholders(table, 2 + (after?.length ?? 0))})`;
  const { rows } = await source.query<{ row: string }>(
    `SELECT ${rowSql(table, profiles)} AS row FROM ${tableSql(table)} t WHERE tenant_id = $1${from}${until}`,
    [tenantId, ...(after ?? []), ...last],
  );
  return { rows: rows.map(({ row }) => row), last };
}

/** Reads those of the rows that exist, in chunks up to the limits of a batch. */
export async function* readRows(
  source: MoveSession,
  table: TenantTable,
  keys: readonly RowKey[],
  profiles: ProfileKeys,
): AsyncGenerator<string[]> {
  for (const some of chunksOf(keys, batchRows)) {
    const { rows: sizes } = await source.query<{ key: RowKey; size: string }>(
      `SELECT ${keySql(table, 't')} AS key, ${sizeSql(table)}::text AS size FROM ${tableSql(table)} t JOIN ${keysSql(table)}`,
      [JSON.stringify(some)],
    );
    for (let rest = sizes; rest.length > 0; ) {
      const fitting = rest.slice(0, fittingCount(rest));
      rest = rest.slice(fitting.length);
      const { rows } = await source.query<{ row: string }>(
        `SELECT ${rowSql(table, profiles)} AS row FROM ${tableSql(table)} t JOIN ${keysSql(table)}`,
        [JSON.stringify(fitting.map(({ key }) => key))],
      );
      yield rows.map(({ row }) => row);
    }
  }
}

/** Inserts rows that `readBatch` or `readRows` has read. Leaves rows that exist as they are. */
export async function insertRows(
  target: MoveSession,
  table: TenantTable,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = table.columns
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ name }) => quote(name))
    .join(', ');
  await target.query(
    `INSERT INTO ${tableSql(table)} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM unnest($1::${tableSql(table)}[]) ON CONFLICT (${keyList(table)}) DO NOTHING`,
    [rows],
  );
}

/** Deletes rows by their keys on the source. */
export async function deleteRows(
  target: MoveSession,
  table: TenantTable,
  keys: readonly RowKey[],
  profiles: ProfileKeys,
): Promise<void> {
  for (const some of chunksOf(mapKeys(table, keys, profiles), batchRows))
    await target.query(`DELETE FROM ${tableSql(table)} t USING ${keysSql(table, 'WHERE')}`, [
      JSON.stringify(some),
    ]);
}

/** A count of rows, and a sum of their hashes, which does not depend on their order. */
export interface Digest {
  rows: number;
  sum: string;
}

/** The digest of all rows of a tenant in a table. `profiles` maps the keys of the source; the target has its own. */
export async function digestOf(
  session: MoveSession,
  table: TenantTable,
  tenantId: TenantId,
  profiles: ProfileKeys | null,
): Promise<Digest> {
  const { rows } = await session.query<Digest>(
    `${digestSql(table, profiles)} FROM ${tableSql(table)} t WHERE tenant_id = $1`,
    [tenantId],
  );
  return required(rows);
}

/** The digest of some rows, by their keys on the source. */
export async function digestOfRows(
  session: MoveSession,
  table: TenantTable,
  keys: readonly RowKey[],
  profiles: ProfileKeys,
  isSource: boolean,
): Promise<Digest> {
  const own = isSource ? keys : mapKeys(table, keys, profiles);
  const { rows } = await session.query<Digest>(
    `${digestSql(table, isSource ? profiles : null)} FROM ${tableSql(table)} t JOIN ${keysSql(table)}`,
    [JSON.stringify(own)],
  );
  return required(rows);
}

function required(rows: Digest[]): Digest {
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no digest.');
  return row;
}

/** 63 bits of SHA-256 of each row: a sum of 10^9 of them fits a numeric, and no other difference goes unnoticed by chance. */
function digestSql(table: TenantTable, profiles: ProfileKeys | null): string {
  const hash = `('x' || encode(substr(sha256(convert_to(${rowSql(table, profiles)}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;
  return `SELECT count(*)::int AS rows, coalesce(sum(${hash}), 0)::text AS sum`;
}

/** A row as text, in the order of the columns on the target. The target computes generated columns itself. */
function rowSql({ columns }: TenantTable, profiles: ProfileKeys | null): string {
  const values = columns.map(({ name, isGenerated }) => {
    if (isGenerated) return 'NULL';
    const column = `t.${quote(name)}`;
    return name === profileColumn && profiles !== null ? mappedProfileSql(column, profiles) : column;
  });
  return `ROW(${values.join(', ')})::text`;
}

/** The size of a row in bytes, without reading large values: those of text and bytea are known. */
function sizeSql({ columns }: TenantTable): string {
  const sizes = columns.map(({ name, type }) => {
    const size = type === 'text' || type === 'bytea' ? 'octet_length' : 'pg_column_size';
    return `coalesce(${size}(t.${quote(name)})::bigint, 0)`;
  });
  return `(${sizes.join(' + ')})`;
}

/** Rows that fit a batch; at least one. */
function fittingCount(sizes: readonly { size: string }[]): number {
  let bytes = 0;
  const end = sizes.findIndex(({ size }, index) => {
    bytes += Number(size);
    return index > 0 && bytes > batchBytes;
  });
  return end === -1 ? sizes.length : end;
}

/** The rows of the keys in $1, a JSON array: a table `k` and its condition. */
function keysSql({ key }: TenantTable, condition = 'ON'): string {
  const matches = key.map(({ name, type }, index) => `t.${quote(name)} = (k.key ->> ${index})::${type}`);
  return `jsonb_array_elements($1::jsonb) AS k (key) ${condition} ${matches.join(' AND ')}`;
}

function placeholders({ key }: TenantTable, first: number): string {
  return key.map(({ type }, index) => `$${first + index}::text::${type}`).join(', ');
}

function mapKeys(table: TenantTable, keys: readonly RowKey[], profiles: ProfileKeys): RowKey[] {
  const place = table.key.findIndex(({ name }) => name === profileColumn);
  if (place === -1) return [...keys];
  return keys.map((key) =>
    key.map((value, index) => (index === place ? mapProfileKey(value, profiles) : value)),
  );
}
