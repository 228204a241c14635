import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { repeatedWarning } from '../../src/telemetry/repeated-warning.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a warning that repeats has one line a second, with the number of the others', () => {
  const lines: string[] = [];
  const logger = createLogger({ LOG_LEVEL: 'warn' }, 'test', { write: (line) => void lines.push(line) });
  const warn = repeatedWarning(logger, 'the connection broke');
  // 2,000 failures a second for three seconds.
  for (let failures = 0; failures < 6_000; failures += 2) {
    warn({ err: new Error('down') });
    warn({ err: new Error('down') });
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(10_000);
  const counts = lines.map((line) => JSON.parse(line).count ?? 1);
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(counts[0]).toBe(1);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6_000);
  warn({ err: new Error('down') });
  expect(JSON.parse(lines.at(-1) ?? '{}').count).toBeUndefined();
});
