import { expect, test } from 'vitest';
import { Resources } from '../src/process/resources.ts';
import { TimeLimitError } from '../src/process/time.ts';
import { createLogger } from '../src/telemetry/logger.ts';

function openResources(options: { graceMs: number; closingMs?: number } = { graceMs: 60_000 }): {
  resources: Resources;
  lines: string[];
} {
  const lines: string[] = [];
  const logger = createLogger({ LOG_LEVEL: 'error' }, 'test', { write: (line) => lines.push(line) });
  return { resources: new Resources(logger, options), lines };
}

test('resources close in the reverse order of their opening, one after the other, and once', async () => {
  const { resources, lines } = openResources();
  const closed: string[] = [];
  resources.onClose('database', () => closed.push('database'));
  resources.onClose('jobs', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    closed.push('jobs');
  });
  resources.onClose('requests', () => closed.push('requests'));
  await Promise.all([resources.close(), resources.close()]);
  await resources.close();
  expect(closed).toEqual(['requests', 'jobs', 'database']);
  expect(lines).toEqual([]);
});

test('a step that throws, rejects or hangs is logged by name, and skips no other step', async () => {
  const { resources, lines } = openResources();
  const closed: string[] = [];
  resources.onClose('database', () => closed.push('database'));
  resources.onClose('throws', () => {
    throw new Error('thrown');
  });
  resources.onClose('rejects', () => Promise.reject(new Error('rejected')));
  resources.onClose('hangs', () => new Promise(() => undefined), 50);
  await expect(resources.close()).rejects.toThrow(TimeLimitError);
  expect(closed).toEqual(['database']);
  expect(lines.map((line) => JSON.parse(line).resource)).toEqual(['hangs', 'rejects', 'throws']);
});

test('a resource that opens during the close is closed too', async () => {
  const { resources } = openResources();
  const closed: string[] = [];
  resources.onClose('first', () => {
    resources.onClose('late', () => closed.push('late'));
    closed.push('first');
  });
  await resources.close();
  expect(closed).toEqual(['first', 'late']);
});

test('all steps share one deadline: a step that hangs takes from the grace period of jobs, and no step is left out', async () => {
  const { resources, lines } = openResources({ graceMs: 300, closingMs: 300 });
  const closed: string[] = [];
  const never = () => new Promise(() => undefined);
  let graceOfJobs = Number.NaN;
  resources.onClose('database', () => closed.push('database'));
  resources.onClose('connections', never);
  resources.onClose(
    'jobs',
    (graceMs) => {
      graceOfJobs = graceMs;
      closed.push('jobs');
      return never();
    },
    'grace',
  );
  resources.onClose('schedule', never, 200);
  await expect(resources.close()).rejects.toThrow(TimeLimitError);
  expect(closed).toEqual(['jobs', 'database']);
  expect(graceOfJobs).toBeLessThanOrEqual(100);
  expect(lines.map((line) => JSON.parse(line).resource)).toEqual(['schedule', 'jobs', 'connections']);
});
