import { expect, test } from 'vitest';
import { activateProfile } from '../../src/memory/embedding/profile.ts';
import { remember } from '../../src/memory/remember.ts';
import { parseQuery, searchScope, VectorSupportCache } from '../../src/memory/search/index.ts';
import { sweepEnded } from '../../src/memory/sweep-ended.ts';
import { CorpusCache } from '../../src/search/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { fillWithVectors, testProfile } from '../support/embed.ts';

const { database, tenantId } = await openOwnDatabase('sweep-ended', 2);
const scopeId = 'calendar';

test('spec 26 S1: an entry whose end has passed is indexed as an ended one, with its vector and its counters', async () => {
  const profileKey = await activateProfile(database.sql, testProfile);
  const end = new Date(Date.now() + 3_600_000);
  for (const text of ['The printer is broken', 'The printer is rented']) {
    await remember(database, {
      ...{ tenantId, scopeId, content: { kind: 'fact', text }, reason: null, expectedRevision: null },
      validity: { valid_until: end.toISOString() },
    });
  }
  await fillWithVectors(database, { tenantId, scopeId, profileKey }, ['The printer is old']);
  await sweepEnded(database);
  expect(await counters()).toEqual({ ended: 0, negative: 0, terms: 0, vectors: 0, counted: 0 });
  // As if an hour had passed.
  for (const table of ['memory_versions', 'memory_states'])
    await database.pool.query(`UPDATE ${table} SET holds_until = holds_until - interval '61 minutes'`);
  expect(await found(null)).toEqual(['The printer is old']);
  await Promise.all([sweepEnded(database), sweepEnded(database)]);
  expect(await counters()).toMatchObject({ ended: 2, negative: 2, vectors: 2, counted: 2 });
  expect(await found(null)).toEqual(['The printer is old']);
  const before = await found(new Date(end.getTime() - 7_200_000).toISOString());
  expect(before.sort()).toEqual(['The printer is broken', 'The printer is old', 'The printer is rented']);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS wrong FROM memory_terms m WHERE ended <> (
       SELECT count(*) FROM memory_states s WHERE s.tenant_id = m.tenant_id AND s.terms @> ARRAY[-m.term])`,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
});

async function found(asOf: string | null): Promise<string[]> {
  const deps = {
    database,
    embedder: () => null,
    vectorSupport: new VectorSupportCache(),
    corpusCache: new CorpusCache(),
    reranker: null,
  };
  const query = await parseQuery(null, { query: 'is the printer broken, rented or old', mode: 'fts' });
  const { hits } = await searchScope(deps, { tenantId, scopeId, limit: 10, asOf }, query);
  return hits.map(({ text }) => text);
}

async function counters() {
  const { rows } = await database.pool.query(
    `SELECT ended_entries::int AS ended,
       (SELECT count(*)::int FROM memory_states WHERE ended AND terms[1] < 0) AS negative,
       (SELECT coalesce(sum(ended), 0)::int FROM memory_terms) AS terms,
       (SELECT count(*)::int FROM memory_embeddings WHERE profile_key < 0) AS vectors,
       (SELECT coalesce(sum(embedded), 0)::int FROM memory_embedding_totals WHERE profile_key < 0) AS counted
     FROM memory_totals`,
  );
  return rows[0];
}
