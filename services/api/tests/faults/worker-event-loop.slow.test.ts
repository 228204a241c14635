import { longestHold, watchEventLoop } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const MiB = 1_048_576;

const service = await startService();
const worker = await startWorkerProcess(service, {}, { nodeArguments: watchEventLoop });
const holdOf = longestHold(worker);

afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await service.stop();
});

/** Content of nearly 1 MiB of canonical JSON. */
function fill(piece: string, bytes = MiB): string {
  return piece.repeat(Math.floor((bytes - 10) / Buffer.byteLength(JSON.stringify(piece).slice(1, -1))));
}

const prose =
  'We decided to use Postgres 18 for every environment. The deploy job of the billing gateway failed twice on Tuesday.\n';

/** About 64,000 characters of lines that differ. */
function shortLines(line: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < 63_900; index += 1) text += `${line(index)}\n`;
  return text;
}

const cases: Record<string, () => unknown> = {
  prose: () => fill(prose),
  'short lines': () => fill('ab cd.\n'),
  speakers: () => fill('Alice: hi\n'),
  'Chinese sentences': () => fill('我们决定使用数据库。'),
  'an array of 260,000 texts': () => Array.from({ length: 260_000 }, () => 'a'),
  'an object of 70,000 fields': () =>
    Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`f${index}`, 'x'])),
};

test.each(Object.keys(cases))(
  'a worker that flushes 1 MiB of %s never holds its event loop for 200 ms of processor time',
  async (name) => {
    const scope_id = freshScope();
    const created = await service.send('POST', `/v1/scopes/${scope_id}/sources`, {
      content: cases[name]?.(),
    });
    expect(created.status).toBe(201);
    await holdOf();
    const flushed = await service.call('flush_memory', { body: { scope_id } });
    expect(flushed.body).toMatchObject({ status: 'processed', processed_source_count: 1 });
    expect(await holdOf()).toBeLessThan(200);
    expect(worker.output()).not.toContain('could not read');
  },
);

const generated: Record<string, () => string> = {
  sentences: () => shortLines((index) => `A b ${index.toString(36)}.`),
  'labeled lines': () => `Did:\n${shortLines((index) => `a${index}`)}`,
};

test.each(Object.keys(generated))(
  'a worker that generates from 32 Sources of 64,000 characters of %s never holds its event loop for 200 ms of processor time',
  async (name) => {
    const scope_id = freshScope();
    const content = generated[name]?.() ?? '';
    const source_refs = Array.from({ length: 32 }, (_, index) => ({
      name: 'content',
      source_id: `source ${index}`,
    }));
    for (const { source_id } of source_refs) {
      await service.call('capture_content_source', { body: { scope_id, source_id, content } });
    }
    const evidence = { scope_id, source_refs, artifact_refs: [] };
    await holdOf();
    const experience = await service.call('generate_experience', { body: evidence });
    expect(experience.body.status).toBe('pending');
    const skill = await service.call('generate_skill', { body: { ...evidence, origin: 'source' } });
    expect(skill.body.status).toBe('pending');
    expect(await holdOf()).toBeLessThan(200);
  },
);

test('another Scope is flushed while a worker reads 1 MiB', async () => {
  const [long, short] = [freshScope(), freshScope()];
  await service.send('POST', `/v1/scopes/${long}/sources`, {
    content: cases['an array of 260,000 texts']?.(),
  });
  await service.call('capture_content_source', {
    body: { scope_id: short, source_id: 'a', content: 'We use Kafka.' },
  });
  const order: string[] = [];
  const flush = async (scope_id: string) => {
    expect((await service.call('flush_memory', { body: { scope_id } })).status).toBe(200);
    order.push(scope_id);
  };
  await Promise.all([flush(long), flush(short)]);
  expect(order).toEqual([short, long]);
});
