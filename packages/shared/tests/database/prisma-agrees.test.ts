import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { query } from '../support/catalogue.ts';
import { type Column, readPrismaColumns } from '../support/prisma-schema.ts';

const database = await createDatabase();

afterAll(() => database.drop());

const spell = (columns: Column[]) =>
  columns
    .map(({ table, column, type, nullable }) => `${table}.${column} ${type}${nullable ? '' : ' NOT NULL'}`)
    .sort();

test('schema.prisma describes each column of the migrated database, and no other', async () => {
  const columns = await query<Column>(
    database.url,
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
            -- A list is never null to Prisma, whatever the column allows.
            NOT a.attnotnull AND t.typcategory <> 'A' AS nullable
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname <> '_prisma_migrations'`,
  );
  expect(columns.length).toBeGreaterThan(50);
  expect(spell(await readPrismaColumns())).toEqual(spell(columns));
});
