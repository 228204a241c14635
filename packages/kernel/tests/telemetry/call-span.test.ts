import { type CollectedSpan, startCollector } from '@continuity/testing';
import { expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startTelemetry } from '../../src/telemetry/start.ts';
import { withCallSpan, withSpan, withTrace } from '../../src/telemetry/tracing.ts';

const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const client = 3;
const failed = 2;

/** The spans that `work` exports. */
async function spansOf(work: () => Promise<void>): Promise<CollectedSpan[]> {
  const collector = await startCollector();
  const settings = loadSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const telemetry = await startTelemetry(settings, 'test', { logger });
  await work();
  await telemetry.shutdown();
  await collector.stop();
  return collector.spans;
}

const refuse = () => Promise.reject(Object.assign(new Error('No.'), { code: '57P01' }));

test('a call is a span below the active one, with the fault of a failed one', async () => {
  const attributes = { 'db.system.name': 'postgresql' };
  const spans = await spansOf(() =>
    withTrace(null, 'job', {}, () =>
      withSpan('transaction', {}, async () => {
        expect(await withCallSpan('read', attributes, async () => 7)).toBe(7);
        await expect(withCallSpan('write', attributes, refuse)).rejects.toThrow('No.');
      }),
    ),
  );
  const [read, write, transaction, job] = spans;
  expect(spans.map(({ name }) => name)).toEqual(['read', 'write', 'transaction', 'job']);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
  const common = { traceId: job?.traceId, parentSpanId: transaction?.spanId, kind: client, service: 'test' };
  expect(read).toEqual({ ...common, spanId: read?.spanId, name: 'read', status: 0, attributes });
  expect(write).toEqual({
    ...common,
    spanId: write?.spanId,
    name: 'write',
    status: failed,
    attributes: { ...attributes, 'error.type': '57P01' },
  });
  expect(attributes).toEqual({ 'db.system.name': 'postgresql' });
});

test('a call outside of a trace, or in one that is not sampled, has no span', async () => {
  const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
  const spans = await spansOf(async () => {
    await withCallSpan('read', {}, async () => undefined);
    await withTrace(unsampled, 'job', {}, () => withCallSpan('read', {}, async () => undefined));
  });
  expect(spans).toEqual([]);
});
