import { expect, test } from 'vitest';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { rememberFacts } from '../../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('ranking');
let scopes = 0;

/** The found texts of a Scope that holds `texts`, best first. */
async function rank(text: string, texts: readonly string[]): Promise<string[]> {
  scopes += 1;
  const scopeId = `ranking ${scopes}`;
  await rememberFacts(database, { tenantId, scopeId }, [...texts]);
  const query = { tenantId, scopeId, query: new AnalyzedQuery(text), limit: 10 };
  return (await searchLexically(database.sql, new CorpusCache(), query)).hits.map((hit) => hit.text);
}

const filler = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word} note about subject${index}`);

test('spec 20 S8: one entry with both rare words comes before 200 with the common word', async () => {
  const best = 'A long account of how the flamingo met an ocelot, with much else that nobody has asked for';
  expect((await rank('flamingo ocelot weekly', [...filler('weekly', 200), best]))[0]).toBe(best);
});

test('spec 20 S8: more distinct terms come before fewer, however often those are repeated', async () => {
  const texts = [`flamingo ${'flamingo '.repeat(50)}`, 'flamingo and ocelot', 'ocelot', ...filler('x', 9)];
  expect((await rank('flamingo ocelot', texts))[0]).toBe('flamingo and ocelot');
});

test('spec 20 S8: the shorter of equal matches comes first', async () => {
  const texts = ['the flamingo of the zoo is pink', 'flamingo'];
  expect(await rank('flamingo', texts)).toEqual(texts.toReversed());
});

test('spec 20 S6: a whole identifier comes before its parts', async () => {
  const identifier = 'we call retryPolicy before each of the requests';
  expect((await rank('retryPolicy', ['the policy', 'retry', identifier, ...filler('x', 9)]))[0]).toBe(
    identifier,
  );
});

test('spec 25 Q7: an entry with a dotted name comes before shorter ones that have its words', async () => {
  const named =
    'The port and the host of the staging server are both settings of gateway.yaml, which the deploy job copies';
  const apart = ['gateway and yaml', 'A YAML file names the gateway', 'yaml of another gateway'];
  for (const query of ['gateway.yaml', 'Where is gateway.yaml?'])
    expect((await rank(query, [named, ...apart, ...filler('x', 9)]))[0]).toBe(named);
});

test('an entry is not preferred because its language has keys of its own', async () => {
  const texts = ['Die Überprüfung ist heute noch nicht fertig', 'Überprüfung', ...filler('x', 9)];
  expect((await rank('Überprüfung', texts))[0]).toBe('Überprüfung');
});
