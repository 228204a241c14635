import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

afterEach(() => service.stop());

const read = async () => {
  const begun = performance.now();
  const { status, body } = await service.call('get_readiness');
  return { code: status, ...body, ms: performance.now() - begun };
};

test('spec 10 §2.3: workers of which nothing is heard within 2 s are `timeout`', async () => {
  service = await startService();
  expect((await read()).checks['worker.memory-flush']).toBe('unavailable');
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE workers IN ACCESS EXCLUSIVE MODE');
    const late = await waitUntil(async () => {
      const readiness = await read();
      return readiness.ms > 1_000 && readiness;
    });
    expect(late.ms).toBeLessThan(10_000);
    expect(late).toMatchObject({
      code: 200,
      status: 'degraded',
      checks: {
        database: 'ready',
        'worker.memory-flush': 'timeout',
        'worker.candidate-generation': 'timeout',
      },
    });
  } finally {
    await other.end();
  }
});
