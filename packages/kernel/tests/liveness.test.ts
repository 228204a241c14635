import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { SettingsError } from '../src/config/load.ts';
import { touchWhileAlive } from '../src/process/liveness.ts';
import { createLogger } from '../src/telemetry/logger.ts';

const intervalMs = 5_000;

afterEach(() => {
  vi.useRealTimers();
});

test('a liveness file that becomes unwritable is logged and does not end the process', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: string[] = [];
  const logger = createLogger({ LOG_LEVEL: 'warn' }, 'test', { write: (line) => lines.push(line) });
  const folder = await mkdtemp(join(tmpdir(), 'continuity-liveness-'));
  const path = join(folder, 'alive');
  const stop = touchWhileAlive(path, logger);
  await rm(folder, { recursive: true });
  vi.advanceTimersByTime(intervalMs);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, err: { code: 'ENOENT' } }]);
  stop();
});

test('a liveness file that cannot be written at the start is an invalid setting', () => {
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  expect(() => touchWhileAlive('/nowhere/alive', logger)).toThrow(
    new SettingsError('LIVENESS_FILE cannot be written: ENOENT.'),
  );
});
