import { afterAll, expect, test } from 'vitest';
import { freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const service = await startService();

afterAll(() => service.stop());

test('spec 10 scenario 24: positions under 20 clients have no gap and become visible in order', async () => {
  const scope_id = freshScope();
  let isWriting = true;
  const snapshots: number[][] = [];
  const watch = async () => {
    while (isWriting) {
      const rows = await query<{ position: string }>(
        service.databaseUrl,
        `SELECT s.position FROM scopes c JOIN sources s USING (tenant_id, scope_key)
         WHERE c.scope_id = $1 ORDER BY s.position`,
        [scope_id],
      );
      snapshots.push(rows.map((row) => Number(row.position)));
    }
  };
  const writeElsewhere = async (client: number) => {
    const other = freshScope('elsewhere');
    for (let index = 0; isWriting; index += 1) await capture(service, other, `${client} ${index}`);
  };
  const background = [watch(), writeElsewhere(1), writeElsewhere(2)];
  const positions = await race(20, async (client) => {
    const taken: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const id = `client ${client} number ${index}`;
      const position = await capture(service, scope_id, id);
      taken.push(position);
      // The answer follows the commit, so every later read sees the Source.
      expect((await readSource(service, scope_id, id)).body.position).toBe(position);
    }
    expect(taken).toEqual([...taken].sort((left, right) => left - right));
    return taken;
  });
  isWriting = false;
  await Promise.all(background);

  const counted = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect(positions.flat().sort((left, right) => left - right)).toEqual(counted(200));
  expect(snapshots.length).toBeGreaterThan(3);
  for (const seen of snapshots) expect(seen).toEqual(counted(seen.length));
});

test('spec 10 §8: a refused Source takes no position', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'one', 'first');
  await race(10, (index) =>
    service.call('capture_content_source', {
      body: { scope_id, source_id: 'one', content: `rival ${index}` },
    }),
  );
  await service.send('POST', '/v1/sources/content', { scope_id, source_id: 'two', content: '' });
  expect(await capture(service, scope_id, 'two')).toBe(2);
});
