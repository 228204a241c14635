import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, logger: createLogger({ LOG_LEVEL: 'warn' }, 'test', { write }) };
}

test('a failure that repeats has one line a second, with the number of the others', () => {
  const { lines, logger } = openLog();
  // 2,000 failures a second for three seconds.
  for (let failures = 0; failures < 6_000; failures += 2) {
    logger.warn({ err: new Error('down') }, 'the connection broke');
    logger.error({ err: new Error('down') }, 'the connection broke');
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(10_000);
  const counts = lines.map(({ count }) => Number(count ?? 1));
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(counts[0]).toBe(1);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6_000);
  logger.warn({ err: new Error('down') }, 'the connection broke');
  expect(lines.at(-1)?.['count']).toBeUndefined();
});

test('other failures, lines without an error, and lines about one request or run are not held back', () => {
  const { lines, logger } = openLog();
  logger.warn({ err: new Error('down') }, 'the connection broke');
  for (let round = 0; round < 3; round += 1) {
    logger.warn({ err: new Error('down') }, `failure ${round}`);
    logger.warn({ round }, 'waiting');
    logger.error({ err: new Error('down'), operation: 'get_health' }, 'request');
  }
  expect(lines).toHaveLength(10);
});
