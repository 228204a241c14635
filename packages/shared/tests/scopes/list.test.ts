import { systemClock } from '@continuity/kernel/process';
import { CursorCodec } from '@continuity/shared/handlers';
import { beforeAll, expect, test } from 'vitest';
import { listScopes } from '../../src/scopes/list.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('scope-list');
const cursors = new CursorCodec(Buffer.alloc(32));

/** Scopes below `parent`, with ids in the order of their numbers. */
const addScopes = (parent: string, count: number) =>
  database.pool.query(
    `WITH parent AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, $2, 'Parent', 'S')
     )
     INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
     SELECT $1, $2 || to_char(n, '-FM000000'), CASE n WHEN 10050 THEN 'The Needle' ELSE 'Straw' END, 'S', $2
     FROM generate_series(1, $3::int) n`,
    [tenantId, parent, count],
  );

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  await addScopes('small', 1_000);
  await addScopes('large', 20_000);
});

const list = (filter: { search?: string; parent?: string; cursor?: string }) =>
  listScopes(database, cursors, systemClock, { tenantId, limit: 50, ...filter });

test('spec 60 §3.4.2: a search goes on behind a page that looked at 10,000 Scopes and found nothing', async () => {
  const first = await list({ parent: 'large', search: 'NEEDLE' });
  expect(first.items).toEqual([]);
  const second = await list({ parent: 'large', search: 'NEEDLE', cursor: first.next_cursor ?? '' });
  expect(second.items.map(({ scope_id }) => scope_id)).toEqual(['large-010050']);
  expect(second.next_cursor).toBeNull();
});

test.each([
  ['as long as the database has no statistics', async () => undefined],
  ['with statistics', () => database.pool.query('VACUUM ANALYZE')],
])('spec 60 §3.4.2: a page of children reads its own length, %s', async (_when, begin) => {
  await begin();
  for (let run = 0; run < 8; run += 1) await list({ parent: 'large' });
  const few = await readsOf(database, 5, () => list({ parent: 'small' }));
  const many = await readsOf(database, 5, () => list({ parent: 'large' }));
  expect(many.scannedRows).toBe(0);
  expect(many.blocks).toBeLessThan(few.blocks * 1.3 + 10);
});
