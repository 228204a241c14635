import type { OperationSpec } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { type Collector, clientFor, startCollector, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectLines } from '../support/log-lines.ts';
import { freshScope } from '../support/memory.ts';
import { remoteCalls } from '../support/remote-skills.ts';
import { startService, type TestService } from '../support/service.ts';

const secret = 'kanarienvogel';
const token = `token-of-a-${secret}`;

const lines = collectLines();
/** Request ids of all that was sent. */
const allIds: (string | null)[] = [];
let collector: Collector;
let service: TestService;

beforeAll(async () => {
  collector = await startCollector();
  service = await startService({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: 'trace',
      AUTH_TOKEN: token,
      METRICS_PORT: '0',
      // Models that are not there: a flush and an embedding fail, with the key and the address in hand.
      INFERENCE_GENERATION_MODEL: 'none',
      INFERENCE_BASE_URL: `http://127.0.0.1:9/${secret}/v1`,
      INFERENCE_API_KEY: `key-of-a-${secret}`,
      INFERENCE_EMBEDDING_MODEL: 'none',
      INFERENCE_EMBEDDING_PROFILE_ID: 'none',
      INFERENCE_EMBEDDING_DIMENSION: '8',
      MEMORY_AUTO_FLUSH: 'off',
    },
    workers: true,
    logs: lines,
  });
});

afterAll(async () => {
  await service?.stop();
  await collector?.stop();
});

/** The value with the secret in each of its texts. */
function withSecret(value: unknown, mix: (text: string) => string): unknown {
  if (typeof value === 'string') return mix(value);
  if (Array.isArray(value)) return value.map((one) => withSecret(one, mix));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withSecret(one, mix)]));
}

function request(operation: OperationSpec, mix: (text: string) => string) {
  const { parameters = {}, body } = operation.examples[0] ?? {};
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(mix(parameters[name] ?? 'x')),
  );
  const known = operation.query === undefined ? [] : Object.keys(operation.query.shape);
  const search = new URLSearchParams();
  for (const name of [...known, 'unknown']) search.set(name, mix('1'));
  return { path: `${path}?${search}`, body: withSecret(body, mix) };
}

const mixes: [string, (text: string) => string][] = [
  ['added to each text', (text) => `${text} ${secret}`],
  ['in place of each text', () => secret],
  ['as what no row can hold', (text) => `${text}\u0000${secret}`],
];

test.for(operations.map((operation) => [operation.id, operation] as const))(
  'spec 20 M21: what %s is sent appears in no log line',
  async ([, operation]) => {
    const client = clientFor(service.url, { authorization: `Bearer ${token}`, 'idempotency-key': secret });
    const ids: (string | null)[] = [];
    for (const [, mix] of mixes) {
      const { path, body } = request(operation, mix);
      const sent = await client.send(operation.method, path, operation.method === 'GET' ? undefined : body);
      ids.push(sent.headers.get('x-service-request-id'));
    }
    await waitUntil(() => ids.every((id) => lines.text().includes(id ?? '-')));
    expect(lines.text()).not.toContain(secret);
    allIds.push(...ids);
  },
);

/** Codes and credentials that the service has given. */
const given: string[] = [];

test('spec 40 §8: no enrollment code and no credential appears in a log line', async () => {
  const remote = remoteCalls(clientFor(service.url, { authorization: `Bearer ${token}` }));
  const scope = freshScope();
  const { target, enrollment_code } = (await remote.create(scope)).body;
  const { credential } = (await remote.enroll(enrollment_code)).body;
  given.push(enrollment_code, credential);
  await remote.enroll(enrollment_code);
  await remote.reconcile(credential);
  await remote.revoke(scope, target.target_id);
  const refused = await remote.reconcile(credential);
  const id = refused.headers.get('x-service-request-id');
  await waitUntil(() => lines.text().includes(id ?? '-'));
  for (const one of given) expect(lines.text()).not.toContain(one);
  allIds.push(id);
});

test('spec 20 M21: nor does any of it appear in a trace or a metric', async () => {
  await waitUntil(() => allIds.every((id) => collector.spans.some(({ traceId }) => traceId === id)));
  const { text: metrics } = await clientFor(service.metricsUrl ?? '').send('GET', '/metrics');
  expect(metrics).toContain('continuity_job_duration_seconds_count{queue="memory-flush",outcome="failed"}');
  expect(metrics).toMatch(/model_request_duration_seconds_count\{purpose="extraction",outcome="\w+"\}/);
  for (const one of [secret, ...given]) {
    expect(metrics).not.toContain(one);
    expect(collector.received.join('')).not.toContain(one);
  }
});

test('nor does what is sent broken: no JSON, no UTF-8, a wrong token', async () => {
  const client = clientFor(service.url, { authorization: `Bearer ${secret}` });
  await client.send('POST', '/v1/memory/remember', `{"${secret}": ${secret}`);
  const well = clientFor(service.url, { authorization: `Bearer ${token}` });
  const broken = await well.send('POST', '/v1/memory/remember', `{"${secret}": ${secret}`);
  const unknown = await well.send('POST', '/v1/memory/remember', { [secret]: { [secret]: secret } });
  for (const { headers } of [broken, unknown]) {
    const id = headers.get('x-service-request-id') ?? '-';
    await waitUntil(() => lines.text().includes(id));
  }
  expect(lines.text()).not.toContain(secret);
});
