import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareCompact } from '../support/context.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { projectEntries, prompts } from './support/recall-texts.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') } });
});

afterAll(() => service.stop());

const fill = async (tenant: string, scope_id: string, texts: readonly string[]) => {
  const entries = texts.map((text) => ({ kind: 'fact', text }));
  const body = { family: 'memory' as const, content: { entries } };
  const client = clientOf(service.url, tenant);
  expect((await client.call('create_artifact', { params: { scope_id }, body })).status).toBe(201);
};

test("spec 25 scenario 7: another Scope's or tenant's words change no score and no admission", async () => {
  const scope_id = 'shop';
  const acme = clientOf(service.url, 'acme');
  await fill('acme', scope_id, projectEntries);
  const queries = [
    ...prompts.map(({ prompt }) => prompt),
    ...projectEntries.slice(0, 12),
    // A rare word admits an entry by itself; in the other Scopes it is not rare.
    'Postgres',
    'zebra crossing of the rollback',
  ];
  const answers = async () => {
    const all = [];
    for (const query of queries) {
      const { body } = await acme.call('search_memory', {
        body: { scope_id, query, mode: 'fts', limit: 50 },
      });
      const { items } = await prepareCompact(acme, scope_id, query, { max_bytes: 32_768, max_items: 32 });
      all.push({
        hits: body.hits.map(({ text, score, matched_by }) => ({ text, score, matched_by })),
        items: items.map(({ text }) => text),
      });
    }
    return all;
  };
  const alone = await answers();
  expect(alone.every(({ hits }) => hits.length > 0)).toBe(true);

  const copies = Array.from({ length: 3 }, (_, copy) =>
    projectEntries.map((text) => `${text} Copy ${copy}.`),
  ).flat();
  const repeated = ['Postgres', 'rollback', 'billing', 'zebra'].flatMap((word) =>
    Array.from({ length: 20 }, (_, index) => `${word} ${word} ${index}`),
  );
  for (const [tenant, scope] of [
    ['acme', 'other'],
    ['globex', scope_id],
  ] as const) {
    await fill(tenant, scope, copies.slice(0, 100));
    await fill(tenant, scope, repeated);
  }
  expect(await answers()).toEqual(alone);
});
