import { createDatabase, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openConsumer } from '../src/queue/index.ts';

/** Number of the lock that BullMQ takes in PostgreSQL while it looks at its tables. */
const lockOfBullmq = 0x42554c4c;

test('a consumer that loses its connection to PostgreSQL while it starts begins again', async () => {
  const database = await createDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const errors: unknown[] = [];
  await admin.query("SELECT pg_advisory_lock($1, hashtext('bullmq'))", [lockOfBullmq]);
  const consumer = openConsumer({
    store: { redisUrl: undefined, databaseUrl: database.url, prefix: '' },
    queue: { queue: 'memory-flush', hostId: null },
    concurrency: 1,
    process: async () => true,
    onUnknown: () => undefined,
    onError: (error) => errors.push(error),
  });
  const endWaiting = async () => {
    const { rowCount } = await admin.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'continuity-queue' AND wait_event = 'advisory'`);
    return (rowCount ?? 0) > 0;
  };
  try {
    await waitUntil(endWaiting);
    await waitUntil(() => errors.length > 0);
    expect(consumer.isReady()).toBe(false);
    await admin.query('SELECT pg_advisory_unlock_all()');
    await consumer.started;
    expect(consumer.isReady()).toBe(true);
  } finally {
    await consumer.close();
    await admin.end();
    await database.drop();
  }
});
