import { afterAll, beforeAll, expect, test } from 'vitest';
import { artifactCalls, etagOf, memoryContentOf } from '../support/artifacts.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let artifact: ReturnType<typeof artifactCalls>;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
  artifact = artifactCalls(service);
});

afterAll(() => service.stop());

const flush = (scope_id: string) => service.call('flush_memory', { body: { scope_id } });

const capture = (scope_id: string, source_id: string, content: string) =>
  service.call('capture_content_source', { body: { scope_id, source_id, content } });

test('spec 20 scenario 16: the Source of a Create is not evidence, so a flush stays idle', async () => {
  const created = await artifact.create('idle', artifact.facts('We decided to keep otters.'));
  await artifact.replace('idle', etagOf(created), artifact.facts('We decided to keep seals.'));
  expect((await flush('idle')).body).toEqual({
    status: 'idle',
    previous_cursor: 0,
    current_cursor: 0,
    high_watermark: 2,
    processed_source_count: 0,
    memory: null,
  });
});

test('concurrent Create, Replace, remember, capture and flush of one Scope all succeed and lose no revision', async () => {
  const scope = 'all writers';
  const texts = Array.from({ length: 10 }, (_, index) => `We decided to keep setting number ${index}.`);
  const rounds = texts.map(async (text, index) => {
    await capture(scope, `s${index}`, text);
    const [, created, flushed] = await Promise.all([
      artifact.remember(scope, `remembered ${index}`),
      artifact.create(scope, artifact.facts(`created ${index}`)),
      flush(scope),
    ]);
    const etag = etagOf(await artifact.head(scope));
    const replaced = await artifact.replace(scope, etag, artifact.facts(`replaced ${index}`));
    return [created.status, flushed.status, replaced.status];
  });
  const statuses = await Promise.all(rounds);
  for (const [created, flushed, replaced] of statuses) {
    expect([created, flushed]).toEqual([201, 200]);
    expect([200, 412]).toContain(replaced);
  }
  await flush(scope);
  expect((await flush(scope)).body.status).toBe('idle');
  const { body } = await service.call('list_memory_changes', {
    body: { scope_id: scope, since_revision: 0 },
  });
  const revisions = body.revisions.map(({ memory_ref }) => memory_ref.revision);
  expect(revisions).toEqual(revisions.map((_, index) => index + 1));
  expect(revisions).toHaveLength(body.memory?.revision ?? 0);
  for (const word of ['remembered', 'created', 'setting']) {
    expect([word, (await artifact.found(scope, word)).length]).toEqual([word, 10]);
  }
  const head = await artifact.head(scope);
  const entries = await service.call('list_memory_entries', {
    body: { scope_id: scope, include_inactive: true },
  });
  expect(memoryContentOf(head).manifest.entries.map(({ entry_id }) => entry_id)).toEqual(
    entries.body.entries.map(({ citation }) => citation.entry_id),
  );
});
