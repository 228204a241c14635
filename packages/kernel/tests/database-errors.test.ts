import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { statement } from '../src/database/statement.ts';
import { fromDatabaseError } from '../src/errors/database-errors.ts';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test('a missing file is not an outage of the database', async () => {
  const error = await failureOf(readFile('/nowhere/file'));
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(fromDatabaseError(error)).toBeUndefined();
  expect(fromDatabaseError(new Error('The template is missing.', { cause: error }))).toBeUndefined();
});

test('a missing socket of the server is one, to statements and to Prisma', async () => {
  const database = openDatabase({
    url: 'postgresql://nobody@localhost/none?host=/nowhere',
    size: 1,
    name: 'missing',
    onIdleError: () => undefined,
  });
  const probe = statement('test_missing_socket', 'SELECT 1');
  for (const query of [database.sql.rows(probe, []), database.prisma.tenant.findMany()])
    expect(fromDatabaseError(await failureOf(query))).toMatchObject({ code: 'database_unavailable' });
  await database.close();
});
