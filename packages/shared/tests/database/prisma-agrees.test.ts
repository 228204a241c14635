import { tables } from '@continuity/kernel/database';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { query } from '../support/catalog.ts';

const database = await createDatabase();

afterAll(() => database.drop());

interface DatabaseColumn {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

const spell = ({ table, column, type, nullable }: DatabaseColumn) =>
  `${table}.${column} ${type}${nullable ? '' : ' NOT NULL'}`;

test('the Prisma schema describes each column of the migrated database, and no other', async () => {
  const described = Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, { type, isNullable }]) =>
      spell({ table, column, type, nullable: isNullable }),
    ),
  );
  const migrated = await query<DatabaseColumn>(
    database.url,
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type,
            -- A list is never null to Prisma, whatever the column allows.
            NOT a.attnotnull AND t.typcategory <> 'A' AS nullable
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname <> '_prisma_migrations'`,
  );
  expect(migrated.length).toBeGreaterThan(50);
  expect(described.sort()).toEqual(migrated.map(spell).sort());
});
