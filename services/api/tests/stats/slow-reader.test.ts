import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginLongAnswer } from '../support/long-answer.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { addUp, type Stats } from '../support/stats.ts';

let service: TestService;

/** A month of so many is more than sockets hold. */
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

test('who reads slowly gets what was true when it asked, whatever changes, and who leaves takes nothing from others', async () => {
  const before = (await readOf(await begin())).inventory.sources.total;
  const slow = await begin();
  for (let round = 1; round <= 5; round += 1) {
    await capture(service, `scope-${round * 150}`, 'source', 'We decided to use it.');
    const gone = await begin();
    gone.destroy();
    const told = await readOf(await begin());
    expect(told.inventory.sources.total).toBe(before + round);
    expect(addUp([told])).toEqual(addUp(told.by_scope));
  }
  expect(slow.socket.bytesRead).toBeLessThan(Number(slow.headers['content-length']) / 2);
  const told = await readOf(slow);
  expect(told.inventory.sources.total).toBe(before);
  expect(addUp([told])).toEqual(addUp(told.by_scope));
});
