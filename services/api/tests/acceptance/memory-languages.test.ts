import { type WordPair, wordPairs } from '@continuity/testing/word-pairs';
import { afterAll, describe, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

/** The texts that are found for a query, among those of all pairs. */
async function textsFor(scope_id: string, query: string): Promise<string[]> {
  const body = { scope_id, query, limit: 50, mode: 'fts' as const };
  return (await service.call('search_memory', { body })).body.hits.map(({ text }) => text);
}

async function rememberTexts(scope_id: string, pairs: readonly WordPair[]): Promise<void> {
  const entries = pairs.map(({ text }) => ({ kind: 'fact', text }));
  const body = { family: 'memory' as const, content: { entries } };
  expect((await service.call('create_artifact', { params: { scope_id }, body })).status).toBe(201);
}

async function matching(scope_id: string, text: string, queries: readonly string[]): Promise<string[]> {
  const found = await Promise.all(queries.map((query) => textsFor(scope_id, query)));
  return queries.filter((_query, index) => found[index]?.includes(text));
}

describe('spec 20 scenario 25: without a model, users of each language find what they mean', () => {
  test.each(Object.entries(wordPairs))('%s', async (_name, pairs) => {
    const scope_id = freshScope();
    await rememberTexts(scope_id, pairs);
    for (const { text, finds, misses } of pairs) {
      expect({ text, queries: await matching(scope_id, text, finds) }).toEqual({ text, queries: finds });
      expect({ text, queries: await matching(scope_id, text, misses) }).toEqual({ text, queries: [] });
    }
  });
});
