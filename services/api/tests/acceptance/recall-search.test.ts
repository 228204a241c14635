import { afterAll, describe, expect, test } from 'vitest';
import { prepare } from '../support/context.ts';
import { freshScope, remember } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { projectEntries, prompts, twins, unrelatedWords } from './support/recall-texts.ts';

const service = await startService();

afterAll(() => service.stop());

async function rememberAll(scope_id: string, texts: readonly string[]): Promise<void> {
  const entries = texts.map((text) => ({ kind: 'fact', text }));
  const body = { family: 'memory' as const, content: { entries } };
  expect((await service.call('create_artifact', { params: { scope_id }, body })).status).toBe(201);
}

const search = async (scope_id: string, query: string): Promise<string[]> => {
  const body = { scope_id, query, mode: 'fts' as const };
  return (await service.call('search_memory', { body })).body.hits.map(({ text }) => text);
};

const contentsOf = async (scope_id: string, query: string): Promise<string[]> =>
  (await prepare(service, scope_id, query, 32_768)).items.map(({ content }) => content);

describe('spec 25 scenario 1: a whole prompt about a project finds the entry that matters', async () => {
  const scope_id = freshScope();
  await rememberAll(scope_id, projectEntries);

  test('six prompts of 60 to 350 words, and 40 entries', () => {
    expect(projectEntries).toHaveLength(40);
    expect(prompts).toHaveLength(6);
    for (const { prompt } of prompts) {
      const words = prompt.split(/\s+/).length;
      expect(words, prompt).toBeGreaterThanOrEqual(60);
      expect(words, prompt).toBeLessThanOrEqual(350);
    }
  });

  test.each(prompts)('$name', async ({ prompt, wanted }) => {
    expect(projectEntries).toContain(wanted);
    const { body } = await service.call('prepare_context', { body: { scope_id, query: prompt } });
    expect(body.status).toBe('ready');
    expect((await contentsOf(scope_id, prompt)).slice(0, 3)).toContain(wanted);
  });

  test('a question with one rare word keeps its answer beside sentences that name other facts', async () => {
    const prompt = `When can we deploy this? The change is small: two components and a style sheet. Marketing would like to announce it in
the newsletter at the end of next week, so an early date would be good. Tell me whether I forgot anything that comes up in reviews.`;
    const wanted = 'Deployments happen every Tuesday at ten, and never on the last day of a month.';
    expect(await contentsOf(scope_id, prompt)).toContain(wanted);
  });
});

describe('spec 25 scenario 2: words around a question do not hide its answer', async () => {
  const scope_id = freshScope();
  await rememberAll(scope_id, projectEntries);
  const question = 'Which Postgres version does the billing database run on?';
  const answer = 'The billing database runs on Postgres 16 since March.';

  test.each([0, 8, 30, 80, 200])('%i words before, after and around it', async (count) => {
    const sentences = unrelatedWords(count, 5);
    const [half, rest] = [sentences.slice(0, sentences.length / 2), sentences.slice(sentences.length / 2)];
    const texts = [
      [...sentences, question].join(' '),
      [question, ...sentences].join(' '),
      [...half, question, ...rest].join(' '),
      [...sentences, question].join('\n'),
    ];
    for (const text of texts) expect(await search(scope_id, text), text).toContain(answer);
  });

  test('without a sentence end anywhere', async () => {
    const words = unrelatedWords(200, 9).join(' ').replaceAll('.', '').toLowerCase();
    const plain = 'which postgres version does the billing database run on';
    for (const text of [`${words} ${plain}`, `${plain} ${words}`, `${words} ${plain} ${words}`])
      expect(await search(scope_id, text), text).toContain(answer);
  });

  test('16 random words, one by one', async () => {
    const words =
      'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa'.split(
        ' ',
      );
    for (let count = 0; count <= words.length; count += 1) {
      const query = `billing database Postgres version ${words.slice(0, count).join(' ')}`;
      expect(await search(scope_id, query), query).toContain(answer);
    }
  });
});

test('spec 25 scenario 3: questions in Chinese, Japanese, Korean and Thai find what their English twins find', async () => {
  const [own, english] = [freshScope(), freshScope()];
  await rememberAll(
    own,
    twins.map(({ fact }) => fact),
  );
  await rememberAll(
    english,
    twins.map(({ twin }) => twin.fact),
  );
  const found = { own: [] as string[], english: [] as string[] };
  for (const { fact, question, twin } of twins) {
    if ((await search(own, question)).slice(0, 3).includes(fact)) found.own.push(question);
    if ((await search(english, twin.question)).slice(0, 3).includes(twin.fact)) found.english.push(question);
  }
  const missed = twins.map(({ question }) => question).filter((question) => !found.own.includes(question));
  expect(found.english.length).toBeGreaterThanOrEqual(17);
  expect(found.own.length, `missed: ${missed.join(' ')}`).toBeGreaterThanOrEqual(found.english.length - 1);
});

describe('spec 25 scenario 5: of equal statements the newest comes first', () => {
  test('`Port 8080`, then `Port 9090`: 9090 first, in search and prepare', async () => {
    const scope_id = freshScope();
    for (const text of ['Port 8080', 'Port 9090']) await remember(service, scope_id, text);
    for (const query of ['port', 'Which port?', 'Port of the API']) {
      expect(await search(scope_id, query)).toEqual(['Port 9090', 'Port 8080']);
      expect(await contentsOf(scope_id, query)).toEqual(['Port 9090', 'Port 8080']);
    }
  });

  test('a port that changed, in search and prepare', async () => {
    const scope_id = freshScope();
    for (const port of [8080, 9090, 7070])
      await remember(service, scope_id, `The API listens on port ${port}.`);
    const newestFirst = [7070, 9090, 8080].map((port) => `The API listens on port ${port}.`);
    const query = 'which port does the API listen on';
    expect(await search(scope_id, query)).toEqual(newestFirst);
    expect((await contentsOf(scope_id, query))[0]).toBe(newestFirst[0]);
  });

  test('an older entry that is revised counts as new', async () => {
    const scope_id = freshScope();
    const { entry } = await remember(service, scope_id, 'The API listens on port 8080.');
    await remember(service, scope_id, 'The API listens on port 9090.');
    const memory_ref = { ...entry.citation.memory_ref, revision: 2 };
    const citation = { ...entry.citation, memory_ref };
    const body = { scope_id, citation, kind: 'fact', text: 'The API listens on port 7070.' };
    expect((await service.call('revise_memory_entry', { body })).status).toBe(200);
    expect((await search(scope_id, 'API port'))[0]).toBe('The API listens on port 7070.');
  });

  test('the newest of twelve sprint states is an item', async () => {
    const scope_id = freshScope();
    for (let sprint = 1; sprint <= 12; sprint += 1)
      await remember(service, scope_id, `Sprint ${sprint}: the deploy target is cluster number ${sprint}.`);
    const items = await contentsOf(scope_id, 'what is the deploy target cluster now?');
    expect(items.some((item) => item.startsWith('Sprint 12:'))).toBe(true);
  });
});
