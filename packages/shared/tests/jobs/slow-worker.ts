// A worker process that takes a job and never ends it.

import { openDatabase } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { startWorker } from '@continuity/shared/jobs';

const databaseUrl = process.env['DATABASE_URL'] ?? '';
const redisUrl = process.env['REDIS_URL'] || undefined;
const database = openDatabase({ url: databaseUrl, size: 5, name: 'slow-worker', onIdleError: () => {} });

const neverEnd = async () => {
  process.stdout.write('in the middle\n');
  await new Promise(() => {});
};

const worker = await startWorker({
  database,
  store: { redisUrl, databaseUrl, prefix: 'test' },
  runJob: neverEnd,
  concurrency: 1,
  graceMs: 1_000,
  failedRetentionDays: 14,
  logger: createLogger({ LOG_LEVEL: 'silent' }, 'slow-worker'),
});
process.stdout.write(`working as ${worker.workerId}\n`);
