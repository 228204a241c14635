import { createLogger } from '@continuity/kernel/telemetry';
import { beforeAll, expect, test } from 'vitest';
import { families } from '../../../src/families/index.ts';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import { VectorSupportCache } from '../../../src/memory/search/index.ts';
import { readNearest } from '../../../src/memory/search/vectors/index.ts';
import { Reindexer } from '../../../src/reindex/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { fillWithVectors, testProfile, vectorOf } from '../../support/embed.ts';

const { database, tenantId } = await openOwnDatabase('quantized', 2);
const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const scopeId = 'quantized';
const texts = Array.from({ length: 300 }, (_, index) => `word${index % 17} word${index % 23} number${index}`);
const support = () => new VectorSupportCache().read(database.sql, testProfile);
const { hasPgvector } = await support();

beforeAll(async () => {
  const profileKey = await activateProfile(database.sql, testProfile);
  await fillWithVectors(database, { tenantId, scopeId, profileKey }, texts);
});

/** The scores of the 20 nearest entries by text. */
async function nearest(): Promise<Map<string, number>> {
  const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
  const vector = { profile: testProfile, windows: [vectorOf('word3 word5')], usage };
  const query = { tenantId, scopeId, asOf: null, vector, limit: 20, onlyIfCovered: true };
  const { hits } = await readNearest(database.sql, await support(), query);
  return new Map(hits.map(({ text, score }) => [text, score]));
}

async function counts() {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(quantized) FROM memory_embeddings) AS quantized,
       (SELECT bool_and(is_quantized) FROM memory_embedding_totals WHERE embedded > 0) AS done`,
  );
  return rows[0];
}

/** Stores the vectors as a process of the release before does. */
async function storeRealsOnly(): Promise<void> {
  await database.pool.query('UPDATE memory_embeddings SET quantized = NULL');
  await database.pool.query('UPDATE memory_embedding_totals SET is_quantized = false');
}

test.skipIf(hasPgvector)(
  'spec 26 S12: without pgvector, a vector is stored with 8 bits a component',
  async () => {
    expect(await counts()).toEqual({ quantized: texts.length, done: true });
  },
);

test.skipIf(hasPgvector)(
  'spec 26 S12: vectors stored before are found, and rewritten in the background',
  async () => {
    const fresh = await nearest();
    expect(fresh.size).toBe(20);
    await storeRealsOnly();
    const before = await nearest();
    for (const [text, score] of fresh)
      expect(Math.abs((before.get(text) ?? score) - score)).toBeLessThan(0.005);
    const reindexer = new Reindexer({ database, logger, families });
    while (await reindexer.round());
    expect(await counts()).toEqual({ quantized: texts.length, done: true });
    expect(await nearest()).toEqual(fresh);
  },
);

test.skipIf(hasPgvector)('a vector that is stored anew meanwhile is not overwritten', async () => {
  await storeRealsOnly();
  const changed = "entry_id = (SELECT entry_id FROM memory_versions WHERE text = 'word0 word0 number0')";
  const interrupted = {
    ...database,
    transaction: (async (work) => {
      await database.pool.query(`UPDATE memory_embeddings SET embedding = embedding WHERE ${changed}`);
      return await database.transaction(work);
    }) as typeof database.transaction,
  };
  const reindexer = new Reindexer({ database: interrupted, logger, families });
  while (await reindexer.round());
  const { rows } = await database.pool.query(`SELECT quantized FROM memory_embeddings WHERE ${changed}`);
  expect(rows).toEqual([{ quantized: null }]);
  expect((await counts())?.quantized).toBe(texts.length - 1);
  // It is found all the same.
  expect((await nearest()).size).toBe(20);
});
