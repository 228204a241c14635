import {
  type Collector,
  readOpenMetrics,
  runProcess,
  startCollector,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startTelemetry } from '../../src/telemetry/start.ts';
import { currentTrace, withSpan } from '../../src/telemetry/tracing.ts';

const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(() => collector.stop());

const settingsOf = (environment: Record<string, string>) => loadSettings(environment);

/** A process that starts telemetry and tells which of OpenTelemetry's packages it has loaded. */
const program = (options: string) => `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => {
    const found = /@opentelemetry\\/([a-z-]+)\\//.exec(url);
    if (found) loaded.add(found[1]);
    return next(url, context);
  } });
  const { loadSettings } = await import('./packages/kernel/src/config/index.ts');
  const { createLogger, startTelemetry } = await import('./packages/kernel/src/telemetry/index.ts');
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const telemetry = await startTelemetry(loadSettings(process.env), 'test', { logger, ${options} });
  console.log('loaded ' + [...loaded].sort().join(' ') + ' end');
  await telemetry.shutdown();
`;

async function loadedBy(options: string, environment: Record<string, string> = {}): Promise<string> {
  const child = runProcess(['--input-type=module', '--eval', program(options)], environment);
  const line = await child.waitForLine('loaded');
  await child.exited;
  return line;
}

test('without a collector nothing but the API is loaded, and only metrics where they are read', async () => {
  expect(await loadedBy('')).toContain('loaded api end');
  const scraped = await loadedBy('scraped: true');
  expect(scraped).toContain('sdk-metrics');
  expect(scraped).not.toContain('sdk-trace');
  expect(await loadedBy('', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toContain('sdk-trace');
});

test('switched off, work just runs', async () => {
  const telemetry = await startTelemetry(settingsOf({}), 'test', { logger });
  expect(await withSpan('work', {}, async () => currentTrace())).toBeNull();
  telemetry.metrics.recordRequest('get_liveness', '2xx', 1);
  expect(await telemetry.scrape()).toBe('# EOF\n');
  await telemetry.shutdown();
});

test('what was counted is sent at shutdown, under the name of the settings, and can be read all the same', async () => {
  const settings = settingsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'named',
  });
  const telemetry = await startTelemetry(settings, 'test', { logger, scraped: true });
  telemetry.metrics.recordJob({ queue: 'memory-flush', event: 'failed', ms: 1500 });
  telemetry.metrics.recordModelTokens('extraction', 20, null);
  const families = readOpenMetrics(await telemetry.scrape());
  expect(families.get('continuity_model_tokens')?.samples).toEqual(
    new Map([['continuity_model_tokens_total{purpose="extraction",direction="input"}', 20]]),
  );
  const jobs = families.get('continuity_job_duration_seconds')?.samples;
  expect(jobs?.get('continuity_job_duration_seconds_sum{queue="memory-flush",outcome="failed"}')).toBe(1.5);
  await telemetry.shutdown();
  expect(collector.metricNames).toContain('continuity.model.tokens');
  expect(collector.received.join('')).toContain('"named"');
});

test('telemetry can be started again after its end, and not twice at once', async () => {
  const settings = settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const first = await startTelemetry(settings, 'test', { logger });
  await expect(startTelemetry(settings, 'test', { logger })).rejects.toThrow('once a process');
  await first.shutdown();
  const second = await startTelemetry(settings, 'test', { logger });
  await second.shutdown();
});

test('a collector that is down delays nothing but the end, and is complained about once', async () => {
  const lines: string[] = [];
  const loud = createLogger({ LOG_LEVEL: 'warn' }, 'test', { write: (line) => lines.push(line) });
  await collector.stop();
  const telemetry = await startTelemetry(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), 'test', {
    logger: loud,
  });
  telemetry.metrics.recordRequest('get_liveness', '2xx', 1);
  const begun = performance.now();
  await telemetry.shutdown();
  expect(performance.now() - begun).toBeLessThan(underLoad(9_000));
  await waitUntil(() => lines.length > 0);
  expect(lines).toHaveLength(1);
  collector = await startCollector();
});
