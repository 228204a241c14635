import type { Database, TenantId } from '@continuity/kernel/database';
import { migrate, openDatabase } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { startPgvector } from '@continuity/testing/pgvector';
import { describe, expect, test } from 'vitest';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import {
  parseQuery,
  type QueryEmbedder,
  searchScope,
  VectorSupportCache,
} from '../../../src/memory/search/index.ts';
import { CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { testDimension, testProfile, vectorOf } from '../../support/embed.ts';
import { fillWithEnded } from '../../support/ended-memory.ts';
import { keepVacuumAway, readsOf } from '../../support/table-reads.ts';

const holding = 1_000;
const vector = {
  profile: testProfile,
  windows: [vectorOf('invoice late')],
  usage: { requests: 1, input_tokens: null, output_tokens: null } as const,
};
const embedder: QueryEmbedder = { embedQuery: async () => vector, tryEmbedQuery: async () => vector };
const queries = [
  'the invoice of team 7',
  'backup late week 12',
  'note 77',
  'printer',
  'server green customer signed',
];

/** Blocks that a search of each query reads, after enough runs for the server to have settled on a plan. */
async function costOf(
  database: Database,
  tenantId: TenantId,
  scopeId: string,
  mode: 'fts' | 'vector' | 'hybrid',
) {
  const deps = {
    database,
    embedder: () => embedder,
    vectorSupport: new VectorSupportCache(),
    corpusCache: new CorpusCache(),
    reranker: null,
  };
  const run = async (query: string) =>
    await searchScope(deps, { tenantId, scopeId, limit: 10 }, await parseQuery(embedder, { query, mode }));
  const hits: string[][] = [];
  for (const query of queries) {
    for (let warm = 0; warm < 8; warm += 1) await run(query);
    hits.push((await run(query)).hits.map(({ text }) => text));
  }
  const reads = await readsOf(database, queries.length, (place) => run(queries[place] ?? ''));
  return { ...reads, hits };
}

/** Few ended entries and many: what a search reads, and what it finds. */
async function compare(database: Database, tenantId: TenantId, ended: number): Promise<void> {
  await keepVacuumAway(database.pool);
  const profileKey = await activateProfile(database.sql, testProfile);
  for (const [scopeId, count] of [
    ['alone', 0],
    ['among ended', ended],
  ] as const)
    await fillWithEnded(
      database,
      { tenantId, scopeId, profileKey },
      { holding, ended: count },
      testDimension,
    );
  await database.pool.query('VACUUM ANALYZE');
  for (const mode of ['fts', 'vector', 'hybrid'] as const) {
    const alone = await costOf(database, tenantId, 'alone', mode);
    const among = await costOf(database, tenantId, 'among ended', mode);
    expect(among.scannedRows, mode).toBe(0);
    expect(among.blocks, mode).toBeLessThan(2 * alone.blocks);
    for (const [place, found] of among.hits.entries()) {
      expect(found.length, `${mode} ${queries[place]}`).toBe(alone.hits[place]?.length);
    }
  }
}

describe('spec 26 scenario 42: a search reads at most twice as much where ended entries surround those that hold', () => {
  test('99,000 ended entries, without pgvector', async () => {
    const { database, tenantId } = await openOwnDatabase('ended-entries');
    await compare(database, tenantId, 99_000);
  }, 500_000);

  test('12,000 ended entries, with pgvector', async () => {
    const server = await startPgvector();
    await migrate(server.url);
    const database = openDatabase({ url: server.url, size: 1, name: 'ended', onIdleError: () => undefined });
    try {
      await compare(database, await ensureTenant(database, 'one'), 12_000);
    } finally {
      await database.close();
      await server.close();
    }
  }, 500_000);
});
