import { readFile } from 'node:fs/promises';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  clean,
  countRows,
  failMove,
  move,
  rowsOf,
  startMoveDeployment,
  tenantIdOf,
} from '../support/moves.ts';
import { remember } from '../support/servers.ts';
import { query } from '../support/sql.ts';
import { takeTurn } from '../support/turn.ts';

const scope_id = freshScope();
const script = new URL('../../../../deploy/postgres/partition-by-tenant.sql', import.meta.url);
// Fewer partitions take less time to make.
const partition = (await readFile(script, 'utf8')).replace(
  'partitions constant int := 8',
  'partitions constant int := 2',
);
const { a, b, servers, deployment, stop } = await startMoveDeployment(
  { a: ['moving'], b: ['other'] },
  { workers: true },
  (url) => query(url, partition),
);

afterAll(stop);

test('a tenant moves from whole tables to a server whose tables are partitioned by tenant, and back', async () => {
  const tenantId = await tenantIdOf(a.url, 'moving');
  const client = deployment.client('moving');
  await takeTurn(client);
  expect(await remember(deployment, 'moving', scope_id, '1 before.')).toBe(200);
  await failMove(servers, 'moving', 'b', 'compare');
  expect(await remember(deployment, 'moving', scope_id, '2 meanwhile.')).toBe(200);
  expect(await move(servers, 'moving', 'b')).toContain('is on b');
  expect(await rowsOf(b.url, tenantId)).toEqual(await rowsOf(a.url, tenantId));
  await waitUntil(async () => (await remember(deployment, 'moving', scope_id, '3 on b.')) === 200);
  await takeTurn(client);
  expect((await clean(servers, 0))[0]).toContain('Deleted the rows of "moving" on a');
  expect(await move(servers, 'moving', 'a')).toContain('is on a');
  await waitUntil(async () => (await remember(deployment, 'moving', scope_id, '4 on a.')) === 200);
  expect((await clean(servers, 0))[1]).toContain('Deleted the rows of "moving" on b');
  expect(await countRows(b.url, tenantId)).toBe(0);
  const texts = await query<{ text: string }>(
    a.url,
    'SELECT v.text FROM memory_versions v JOIN artifacts USING (tenant_id, artifact_key) JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $1 ORDER BY v.text',
    [scope_id],
  );
  expect(texts.map(({ text }) => text)).toEqual(['1 before.', '2 meanwhile.', '3 on b.', '4 on a.']);
});
