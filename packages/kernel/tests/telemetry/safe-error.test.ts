import { createDatabase, type TestDatabase } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serviceError } from '../../src/errors/service-error.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { safeError } from '../../src/telemetry/safe-error.ts';

const secret = 'kanarienvogel';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

describe('errors of PostgreSQL', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE TEMP TABLE one (name text CONSTRAINT one_name PRIMARY KEY, size integer)');
  });

  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  const failureOf = (text: string, values: unknown[]) =>
    client.query(text, values).then(
      () => expect.fail('The statement did not fail.'),
      (error: unknown) => error,
    );

  test('a key that exists is told by its constraint, not by its value', async () => {
    const insert = 'INSERT INTO one VALUES ($1)';
    await client.query(insert, [secret]);
    const error = await failureOf(insert, [secret]);
    expect((error as pg.DatabaseError).detail).toContain(secret);
    expect(safeError(error)).toMatchObject({
      code: '23505',
      constraint: 'one_name',
      table: 'one',
      message: expect.stringContaining('duplicate key'),
    });
    expect(JSON.stringify(safeError(error))).not.toContain(secret);
  });

  test('a value of the wrong form, which the message itself quotes, is not told', async () => {
    for (const text of [
      'SELECT $1::uuid',
      'SELECT $1::jsonb',
      'SELECT $1::timestamptz',
      'SELECT $1::integer',
    ]) {
      const error = await failureOf(text, [secret]);
      expect((error as Error).message + (error as pg.DatabaseError).detail).toContain(secret);
      expect(JSON.stringify(safeError(error))).not.toContain(secret);
      expect(safeError(error).code).toMatch(/^22/);
    }
  });
});

test.for<[string, () => unknown]>([
  ['a parser', () => JSON.parse(`{"a": ${secret}}`)],
  ['a schema', () => z.strictObject({}).parse({ [secret]: 1 })],
  ['a bug on a text', () => 'length' in (secret as unknown as object)],
  ['a number', () => BigInt(secret)],
  ['an escape', () => decodeURIComponent(`%${secret}`)],
])('the message of %s is left out, its kind and place are not', ([, work]) => {
  const safe = safeError(thrownBy(work));
  expect(safe.type).toMatch(/Error$/);
  expect(safe.stack).toMatch(/^at /);
  expect(JSON.stringify(safe)).not.toContain(secret);
});

test('what a programmer wrote for an operator is kept, through the chain of causes', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
    code: 'ECONNREFUSED',
    errno: -111,
    syscall: 'connect',
  });
  const failure = serviceError('scope_not_found', {
    message: 'No answer.',
    details: { scope_id: secret },
    cause: refused,
  });
  expect(safeError(failure)).toMatchObject({
    type: 'ServiceError',
    code: 'scope_not_found',
    message: 'No answer.',
    cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
  });
  const bug = thrownBy(() => (undefined as unknown as { length: number }).length);
  expect(safeError(bug).message).toContain('Cannot read properties of undefined');
  expect(JSON.stringify(safeError(failure))).not.toContain(secret);
});

test('a chain of causes and a crowd of errors are cut', () => {
  const error = new Error('again');
  error.cause = error;
  expect(JSON.stringify(safeError(error)).match(/"again"/g)?.length).toBeLessThan(10);
  const many = new AggregateError(Array.from({ length: 100 }, () => new Error('one')));
  expect(safeError(many).errors).toHaveLength(3);
});

test('the user and the password of a URL are taken out', () => {
  expect(safeError(new Error(`cannot reach postgresql://me:${secret}@host/x`)).message).toBe(
    'cannot reach postgresql://host/x',
  );
});

test('the logger lets no error through as it is, whichever way it is given', () => {
  const lines: string[] = [];
  // One for each line: a logger holds back failures of the same message.
  const open = () => createLogger({ LOG_LEVEL: 'trace' }, 'test', { write: (line) => lines.push(line) });
  const error = Object.assign(thrownBy(() => JSON.parse(secret)) as Error, { detail: secret, query: secret });
  open().error(error);
  open().error({ err: error });
  open().error({ err: error, reason: error }, 'failed');
  open().child({ err: error }).warn({ cause: error }, 'failed');
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toContain(secret);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({
    err: { type: 'SyntaxError' },
    reason: { type: 'SyntaxError' },
  });
});
