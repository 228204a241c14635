import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
});

afterAll(() => service.stop());

const capture = (scope_id: string, source_id: string, content: string) =>
  service.call('capture_content_source', { body: { scope_id, source_id, content } });

const flush = (scope_id: string) => service.call('flush_memory', { body: { scope_id } });

const entriesOf = async (scope_id: string) =>
  (await service.call('list_memory_entries', { body: { scope_id, include_inactive: true } })).body.entries;

async function captureMany(scope: string, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, index) => `We decided to keep setting number ${index}.`);
  const replies = await Promise.all(texts.map((text, index) => capture(scope, `s${index}`, text)));
  expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 202));
}

test('spec 20 scenario 16: windows of 100 in order, then idle', async () => {
  await captureMany('windows', 250);
  const replies = [
    await flush('windows'),
    await flush('windows'),
    await flush('windows'),
    await flush('windows'),
  ];
  expect(
    replies.map(({ body }) => [body.previous_cursor, body.current_cursor, body.processed_source_count]),
  ).toEqual([
    [0, 100, 100],
    [100, 200, 100],
    [200, 250, 50],
    [250, 250, 0],
  ]);
  expect(replies.map(({ body }) => body.status)).toEqual(['processed', 'processed', 'processed', 'idle']);
  expect(replies.at(-1)?.body.memory).toBeNull();
  expect(replies[2]?.body.memory?.revision).toBeLessThanOrEqual(3);
  const refused = await service.send('POST', '/v1/memory/flush', { scope_id: 'windows', limit: 5 });
  expect(refused.status).toBe(422);
});

test('spec 20 scenario 17: two concurrent flushes process two windows and write no entry twice', async () => {
  await captureMany('two', 150);
  const replies = await Promise.all([flush('two'), flush('two')]);
  const windows = replies
    .map(({ body }) => [body.previous_cursor, body.current_cursor])
    .sort(([a = 0], [b = 0]) => a - b);
  expect(windows).toEqual([
    [0, 100],
    [100, 150],
  ]);
  const texts = (await entriesOf('two')).map(({ text }) => text);
  expect(texts).toHaveLength(150);
  expect(new Set(texts).size).toBe(150);
});

test('spec 20 F3: a Scope without pending Sources and an unknown Scope are idle and write nothing', async () => {
  const { body } = await flush('unknown');
  const idle = {
    status: 'idle',
    previous_cursor: 0,
    current_cursor: 0,
    high_watermark: 0,
    processed_source_count: 0,
    memory: null,
  };
  expect(body).toEqual(idle);
});

describe('spec 20 scenario 22: the built-in extractor', () => {
  test('finds the decision and the constraint of a Source, and cites it', async () => {
    await capture('built-in', 'note', 'We decided to use Postgres 16. Never log tokens.');
    await flush('built-in');
    const entries = await entriesOf('built-in');
    expect(entries.map(({ kind, text }) => [kind, text])).toEqual([
      ['decision', 'We decided to use Postgres 16.'],
      ['constraint', 'Never log tokens.'],
    ]);
    for (const entry of entries) expect(entry.source_refs).toEqual([{ name: 'content', source_id: 'note' }]);
    expect((await service.call('get_capabilities')).body.memory_extractor).toBe('builtin');
  });

  test('keeps no secret', async () => {
    const secret = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY';
    await capture('secret', 'env', `We decided to deploy on Friday. AWS_SECRET_ACCESS_KEY=${secret}`);
    await flush('secret');
    expect(JSON.stringify(await entriesOf('secret'))).not.toContain(secret);
  });
});

describe('spec 20 scenario 23: one statement in two Sources', () => {
  test('is one entry with both as evidence', async () => {
    await capture('twice', 'first', 'We decided to use Postgres 16.');
    await flush('twice');
    await capture('twice', 'second', 'We decided to use Postgres 16.');
    await flush('twice');
    const entries = await entriesOf('twice');
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      version: 2,
      source_refs: [
        { name: 'content', source_id: 'first' },
        { name: 'content', source_id: 'second' },
      ],
    });
  });

  test('a Source captured before the retirement does not reactivate an entry; a later one does', async () => {
    await capture('back', 'first', 'We decided to use Redis 7.');
    await flush('back');
    await capture('back', 'before', 'We decided to use Redis 7.');
    const [entry] = await entriesOf('back');
    if (entry === undefined) throw new Error('the flush made no entry');
    await service.call('retire_memory_entry', { body: { scope_id: 'back', citation: entry.citation } });
    await flush('back');
    expect((await entriesOf('back')).map(({ state }) => state)).toEqual(['inactive']);
    await capture('back', 'after', 'We decided to use Redis 7.');
    await flush('back');
    const [again] = await entriesOf('back');
    expect(again).toMatchObject({ state: 'active', version: 2 });
    expect(again?.citation.entry_id).toBe(entry.citation.entry_id);
  });
});

test('spec 00 §7: with Prefer: respond-async the flush answers 202, and its job the result', async () => {
  await capture('async', 'note', 'We decided to use Kafka.');
  const accepted = await service.send(
    'POST',
    '/v1/memory/flush',
    { scope_id: 'async' },
    { prefer: 'respond-async' },
  );
  expect(accepted.status).toBe(202);
  const { job_id } = accepted.json as { job_id: string };
  await expect
    .poll(async () => (await service.call('get_job', { params: { job_id } })).body.status)
    .toBe('succeeded');
  const { body } = await service.call('get_job', { params: { job_id } });
  expect(body).toMatchObject({
    queue: 'memory-flush',
    operation: 'flush_memory',
    scope_id: 'async',
    result: { current_cursor: 1 },
  });
});
