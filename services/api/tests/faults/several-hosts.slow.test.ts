import { migrate } from '@continuity/kernel/database';
import { startPostgres, startStandby, waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';

test('with both servers in DATABASE_URL, a service finds the promoted standby by itself, and says so meanwhile', async () => {
  const primary = await startPostgres();
  await migrate(primary.url);
  const standby = await startStandby(primary);
  const { username, password, host, pathname } = new URL(primary.url);
  const both = `postgresql://${username}:${password}@${new URL(standby.url).host},${host}${pathname}`;
  const service = await startService({
    workers: true,
    environment: { DATABASE_URL: `${both}?target_session_attrs=read-write`, MEMORY_AUTO_FLUSH: 'off' },
  });
  const scope_id = freshScope();
  const remember = async (text: string) =>
    (await service.call('remember_memory', { body: { scope_id, kind: 'fact', text } })).status;
  const databaseCheck = async () => (await service.call('get_readiness')).body.checks['database'];
  try {
    expect(await remember('Before the failover.')).toBe(200);
    await primary.kill();
    await waitUntil(async () => (await databaseCheck()) === 'read_only');
    expect((await service.call('get_readiness')).status).toBe(503);
    expect(await remember('Between.')).toBe(503);
    await standby.promote();
    await waitUntil(async () => (await remember('After the failover.')) === 200);
    await waitUntil(async () => (await databaseCheck()) === 'ready');
    await service.call('capture_content_source', {
      body: { scope_id, source_id: 'a', content: 'We decided to keep both servers.' },
    });
    await waitUntil(async () => (await service.call('flush_memory', { body: { scope_id } })).status === 200);
    const { body } = await service.call('list_memory_entries', { body: { scope_id } });
    expect(body.entries.map(({ text }) => text)).toContain('Before the failover.');
  } finally {
    await service.stop();
    await Promise.all([standby.stop(), primary.stop()]);
  }
}, 600_000);
