import { type Client, waitUntil } from '@continuity/testing';
import { expect } from 'vitest';
import { freshScope } from './memory.ts';
import { exact, reportCalls } from './reports.ts';

/** Does what agents do, through every part: remembers, captures, flushes, searches, commits a Handoff and reads its report. */
export async function takeTurn(client: Client): Promise<void> {
  const scope_id = freshScope('turn');
  const remembered = await client.call('remember_memory', {
    body: { scope_id, kind: 'fact', text: 'The gateway listens on port 8000.' },
  });
  expect(remembered.status).toBe(200);
  await client.call('capture_content_source', {
    body: { scope_id, source_id: 'evidence', content: 'We decided to use Postgres 18.' },
  });
  const flushed = await client.call('flush_memory', { body: { scope_id } });
  expect(flushed.body).toMatchObject({ status: 'processed', current_cursor: 1 });
  const found = await client.call('search_memory', { body: { scope_id, query: 'postgres' } });
  expect(found.body.hits.map(({ text }) => text)).toEqual(['We decided to use Postgres 18.']);
  const { commit, report } = reportCalls(client);
  expect((await commit(scope_id, 0)).status).toBe(200);
  expect((await report(exact(scope_id))).schema).toMatch(/report/);
}

/** Waits until a flush ends, while the queue is being failed over, and then takes a turn. Every answer until then is a documented one. */
export async function takeTurnOnceBack(client: Client, timeoutMs = 30_000): Promise<void> {
  const scope_id = freshScope('back');
  const captured = await client.call('capture_content_source', {
    body: { scope_id, source_id: 'first', content: 'We decided to keep the lights on.' },
  });
  expect(captured.status).toBe(202);
  await waitUntil(
    async () => {
      const { status, error } = await client.call('flush_memory', { body: { scope_id } });
      if (status !== 200)
        expect(['queue_unavailable', 'worker_unavailable', 'job_timeout']).toContain(error?.code);
      return status === 200;
    },
    { timeoutMs, intervalMs: 100 },
  );
  // Report workers have connections of their own, which come back on their own.
  await waitUntil(async () => (await reportCalls(client).get(exact(scope_id))).status === 200, {
    timeoutMs,
    intervalMs: 100,
  });
  await takeTurn(client);
}
