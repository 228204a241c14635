import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

let service: TestService;

/** Enough for what is read of them to be kept. */
const scopes = Array.from({ length: 70 }, () => freshScope('many'));

beforeAll(async () => {
  service = await startService();
  await Promise.all(scopes.map((scope) => capture(service, scope, 'source', 'We decided to use it.')));
});

afterAll(() => service.stop());

async function countSources(): Promise<number> {
  const { body } = await service.call('get_stats', { body: { selection: { mode: 'all' }, period: 'today' } });
  return body.inventory.sources.total;
}

test('what a server may have lost in a crash is read anew after the connections have broken', async () => {
  const before = await countSources();
  expect(before).toBe(scopes.length);
  // Nothing but a crash takes a counter back: no transaction tells that it is gone.
  await query(
    service.databaseUrl,
    'DELETE FROM source_lines WHERE scope_key = (SELECT scope_key FROM scopes WHERE scope_id = $1)',
    [scopes[0]],
  );
  expect(await countSources()).toBe(before);
  await query(
    service.databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'continuity-api' AND datname = current_database()`,
    [],
  );
  await waitUntil(async () => (await countSources().catch(() => before)) === before - 1);
});
