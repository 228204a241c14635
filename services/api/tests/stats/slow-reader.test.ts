import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginLongAnswer } from '../support/long-answer.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { addUp, type Stats } from '../support/stats.ts';

let service: TestService;

/** Their answer for 30 days is larger than the socket buffers. */
const scopes = 1_000;

beforeAll(async () => {
  service = await startService();
  await query(
    service.databaseUrl,
    `INSERT INTO scopes (tenant_id, scope_id, title, summary)
     SELECT tenant_id, 'scope-' || n, '', '' FROM tenants, generate_series(1, $1::int) AS n`,
    [scopes],
  );
});

afterAll(() => service.stop());

const begin = () => beginLongAnswer(service);

const readOf = async (answer: IncomingMessage): Promise<Stats> => JSON.parse(await text(answer));

test('a slow reader gets the snapshot of its request, and an aborted request does not affect other callers', async () => {
  const before = (await readOf(await begin())).inventory.sources.total;
  const slow = await begin();
  for (let round = 1; round <= 2; round += 1) {
    await capture(service, `scope-${round * 400}`, 'source', 'We decided to use it.');
    const aborted = await begin();
    aborted.destroy();
    const stats = await readOf(await begin());
    expect(stats.inventory.sources.total).toBe(before + round);
    expect(addUp([stats])).toEqual(addUp(stats.by_scope));
  }
  expect(slow.socket.bytesRead).toBeLessThan(Number(slow.headers['content-length']) / 2);
  const stats = await readOf(slow);
  expect(stats.inventory.sources.total).toBe(before);
  expect(addUp([stats])).toEqual(addUp(stats.by_scope));
});
