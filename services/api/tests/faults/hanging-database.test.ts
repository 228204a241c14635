import { loadSettings } from '@continuity/kernel/config';
import { migrate } from '@continuity/kernel/database';
import { Resources, type Service } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { startReportWorker } from '@continuity/reports';
import { queueEnvironment, startPostgres, underLoad, waitUntil } from '@continuity/testing';
import { startWorkers } from '@continuity/workers';
import { afterAll, beforeAll, expect, test } from 'vitest';

const postgres = await startPostgres({ durable: false });

beforeAll(() => migrate(postgres.url));

afterAll(() => postgres.stop());

/** Far below the 30 s after which a query ends by itself. A busy machine delays the checks of the server. */
const noticedWithinMs = 20_000;

test.each([
  ['the report worker', startReportWorker],
  ['the workers', startWorkers],
])(
  '%s: queries fail within seconds while PostgreSQL hangs, and heartbeats go on when it wakes',
  async (_, start) => {
    const settings = loadSettings({
      DATABASE_URL: postgres.url,
      ...queueEnvironment(),
      LOG_LEVEL: 'warn',
      SHUTDOWN_GRACE_MS: '1000',
    });
    const lines: string[] = [];
    const logger = createLogger(settings, 'test', { write: (line) => lines.push(line) });
    const telemetry = await startTelemetry(settings, 'test', { logger });
    const resources = new Resources(logger, { graceMs: 10_000 });
    const worker = await start({ settings, logger, telemetry, resources } satisfies Service);
    await waitUntil(() => worker.isReady());
    await postgres.freeze();
    try {
      const frozenAt = performance.now();
      await waitUntil(() => lines.some((line) => line.includes('heartbeat of this worker failed')), {
        timeoutMs: 60_000,
      });
      expect(performance.now() - frozenAt).toBeLessThan(underLoad(noticedWithinMs));
    } finally {
      await postgres.wake();
    }
    await waitUntil(() => worker.isReady());
    await resources.close();
  },
);
