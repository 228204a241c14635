import { createClient, etagOf } from '@continuity/client';
import { checkAnswer } from '@continuity/client/check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme') },
    workers: true,
  });
});

afterAll(() => service.stop());

const client = () => createClient({ baseUrl: service.url, token: tokenOf('acme'), checkAnswer });

test('an agent remembers, searches and prepares its context', async () => {
  const scope_id = 'sdk-memory';
  const { entry } = await client().rememberMemory({
    scope_id,
    kind: 'decision',
    text: 'Deploy on Tuesdays.',
  });
  const { hits } = await client().searchMemory({ scope_id, query: 'when do we deploy' });
  expect(hits[0]?.citation).toEqual(entry?.citation);
  const { content } = await client().prepareContext({ scope_id, query: 'deploy' });
  expect(content).toContain('Deploy on Tuesdays.');
});

test('an iterator reads all pages', async () => {
  const scope_id = 'sdk-pages';
  for (const text of ['One.', 'Two.', 'Three.'])
    await client().rememberMemory({ scope_id, kind: 'fact', text });
  const texts: string[] = [];
  for await (const entry of client().each.listMemoryEntries({ scope_id, limit: 2 })) texts.push(entry.text);
  expect(texts.sort()).toEqual(['One.', 'Three.', 'Two.']);
});

test('a flush is waited for, and so is its job', async () => {
  const scope_id = 'sdk-flush';
  const content = 'We decided to use Postgres 18.';
  const { position } = await client().captureContentSource({ scope_id, source_id: 'one', content });
  expect(await client().flushMemory({ scope_id })).toMatchObject({
    status: 'processed',
    current_cursor: position,
  });
  const { job_id } = await client().enqueue.flushMemory({ scope_id });
  expect(await client().waitForJob(job_id)).toMatchObject({ status: 'idle' });
});

test('a write with the tag of a stale answer is refused', async () => {
  const scope_id = 'sdk-etag';
  const content = { situation: 'a', action: 'b', outcome: 'c', lesson: 'd' };
  const first = await client().createArtifact({ scope_id, family: 'experience', content });
  expect(etagOf(first)).toMatch(/^"1-/);
  const change = { scope_id, family: 'experience', artifact_id: first.artifact_id } as const;
  const replace = () =>
    client().replaceArtifact({ ...change, content: { ...content, lesson: 'e' } }, { ifMatch: first });
  await replace();
  await expect(replace()).rejects.toMatchObject({ code: 'precondition_failed', status: 412 });
});

test('a wrong token is 401 with the request id', async () => {
  const stranger = createClient({ baseUrl: service.url, token: 'wrong' });
  const refused = stranger.getCapabilities();
  await expect(refused).rejects.toMatchObject({
    code: 'unauthorized',
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});
