import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
});

afterAll(() => service.stop());

/** Captures and flushes one Source. Returns the answer and the entries. */
async function extract(scope_id: string, content: string) {
  await service.call('capture_content_source', { body: { scope_id, source_id: 'x', content } });
  const { body } = await service.call('flush_memory', { body: { scope_id } });
  const list = await service.call('list_memory_entries', { body: { scope_id } });
  return { body, entries: list.body.entries };
}

const decisions = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `- We decided that service ${index} uses port ${9_000 + index}.`,
  ).join('\n');

test('spec 25 scenario 11: nothing is dropped without a word', async () => {
  const all = await extract('all', decisions(45));
  expect(all.entries).toHaveLength(45);
  expect(all.body).not.toHaveProperty('left_out');

  const most = await extract('most', decisions(300));
  expect(most.entries).toHaveLength(200);
  expect(most.body.left_out).toEqual([{ reason: 'limit', count: 100 }]);

  const long = await extract(
    'long',
    `We decided that the order is ${'alpha bravo charlie delta '.repeat(90)}end.`,
  );
  expect(long.entries).toMatchObject([{ kind: 'decision', text: expect.stringMatching(/^We decided .*…$/) }]);
  expect(long.entries[0]?.source_refs).toEqual([{ name: 'content', source_id: 'x' }]);
  expect(long.body.left_out).toEqual([{ reason: 'too_long', count: 1 }]);

  const lines = [
    { type: 'user', message: { content: 'Never use npm in this repo.' } },
    { type: 'assistant', message: { content: 'I decided to keep Postgres 16.' } },
  ];
  const chat = await extract('chat', lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(chat.entries.map(({ kind }) => kind).sort()).toEqual(['constraint', 'decision']);

  const list = await extract('list', 'Decisions:\n- Use Postgres 16\n- Deploy on Tuesdays\n');
  expect(list.entries.map(({ kind, text }) => [kind, text]).sort()).toEqual([
    ['decision', 'Deploy on Tuesdays'],
    ['decision', 'Use Postgres 16'],
  ]);
});

test('spec 25 Q13: the job has the counts, and the service keeps those of each Source', async () => {
  const scope_id = 'kept';
  for (const [source_id, content] of [
    ['a', 'The password is hunter22. Never log tokens.'],
    ['b', decisions(210)],
  ] as const)
    await service.call('capture_content_source', { body: { scope_id, source_id, content } });
  const accepted = await service.send('POST', '/v1/memory/flush', { scope_id }, { prefer: 'respond-async' });
  const { job_id } = accepted.json as { job_id: string };
  const left_out = [
    { reason: 'limit', count: 10 },
    { reason: 'credential', count: 1 },
  ];
  await expect
    .poll(async () => (await service.call('get_job', { params: { job_id } })).body)
    .toMatchObject({ status: 'succeeded', result: { left_out } });
  const rows = await query(
    service.databaseUrl,
    "SELECT position::int, reason, count FROM source_left_out JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = 'kept' ORDER BY position",
  );
  expect(rows).toEqual([
    { position: 1, reason: 'credential', count: 1 },
    { position: 2, reason: 'limit', count: 10 },
  ]);
});

test('spec 25 scenario 12: no secret is in an entry', async () => {
  const texts: [text: string, secret: string][] = [
    ['We decided to deploy with wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY from now on.', 'wJalr'],
    ['We agreed to charge 4242 4242 4242 4242 for the tests.', '4242 4242'],
    ['Wir haben beschlossen: das Passwort lautet geheim123.', 'geheim123'],
    ['Die Rechnung zahlen wir künftig von DE89 3704 0044 0532 0130 00.', '3704 0044'],
    ['Nous avons décidé que le mot de passe est soleil77.', 'soleil77'],
    ["La clé d'API doit être k9Xy2mNp4q.", 'k9Xy2mNp4q'],
    ['パスワードはsakura88に決定。', 'sakura88'],
    ['アクセスキーは必ず aB3/xY9+kLm2 を使うこと。', 'aB3/xY9'],
    ['Решили, что пароль zvezda55.', 'zvezda55'],
    ['Пароль от базы теперь zima2024, менять нельзя.', 'zima2024'],
  ];
  for (const [index, [text, secret]] of texts.entries()) {
    const { body, entries } = await extract(`secret-${index}`, `${text}\n\nNever log tokens.`);
    expect([text, JSON.stringify(entries).includes(secret)]).toEqual([text, false]);
    expect(entries.map((entry) => entry.text)).toEqual(['Never log tokens.']);
    expect(body.left_out).toEqual([{ reason: 'credential', count: 1 }]);
  }
});
