import { createDatabase } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { openLongSession, sessionOptions } from '../../src/database/session.ts';

const source = await createDatabase();

afterAll(() => source.drop());

const settingsSql = `SELECT json_object_agg(name, current_setting(name)) AS settings FROM pg_settings
  WHERE name IN ('idle_in_transaction_session_timeout', 'idle_session_timeout', 'lock_timeout', 'statement_timeout')`;

async function settingsOf(queryable: pg.Pool | pg.ClientBase): Promise<unknown> {
  const { rows } = await queryable.query<{ settings: unknown }>(settingsSql);
  return rows[0]?.settings;
}

const ofRequests = {
  idle_in_transaction_session_timeout: '6s',
  idle_session_timeout: '0',
  lock_timeout: '15s',
  statement_timeout: '30s',
};

test('the sessions of both pools have limits', async () => {
  const database = openDatabase({ url: source.url, size: 2, name: 'session', onIdleError: () => undefined });
  expect(await settingsOf(database.pool)).toEqual(ofRequests);
  expect(await settingsOf(database.prismaPool)).toEqual(ofRequests);
  await database.close();
});

test('sessions that are opened with start-up options, as those of BullMQ, have the same limits', async () => {
  const client = new pg.Client({ connectionString: source.url, options: sessionOptions });
  await client.connect();
  expect(await settingsOf(client)).toEqual(ofRequests);
  await client.end();
});

test('a session for long statements ends only when its process is silent', async () => {
  const client = await openLongSession(source.url, 'long');
  expect(await settingsOf(client)).toEqual({
    idle_in_transaction_session_timeout: '6s',
    idle_session_timeout: '6s',
    lock_timeout: '0',
    statement_timeout: '0',
  });
  await client.end();
});
