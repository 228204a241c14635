import type { Database } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { afterAll, expect, test } from 'vitest';
import { families } from '../../src/families/index.ts';
import { activateProfile } from '../../src/memory/embedding/profile.ts';
import { VectorSupportCache } from '../../src/memory/search/index.ts';
import { readNearest } from '../../src/memory/search/vectors/index.ts';
import { Reindexer } from '../../src/reindex/index.ts';
import { runMove } from '../../src/tenants/move/run-move.ts';
import { fillWithVectors, testProfile, vectorOf } from '../support/embed.ts';
import { startTwoServers } from '../support/two-servers.ts';

const { a, b, servers, createTenant, stop } = await startTwoServers();
const tenantId = await createTenant('vectors');
const scopeId = 'vectors';
const texts = Array.from({ length: 60 }, (_, index) => `word${index % 7} word${index % 11} number${index}`);
const profileKey = await activateProfile(a.sql, testProfile);
await fillWithVectors(a, { tenantId, scopeId, profileKey }, texts);

afterAll(stop);

/** The texts that a search by meaning finds on a server, the nearest first. */
async function nearest(database: Database): Promise<string[]> {
  const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
  const vector = { profile: testProfile, windows: [vectorOf('word3 word5')], usage };
  const support = await new VectorSupportCache().read(database.sql, testProfile);
  const query = { tenantId, scopeId, asOf: null, vector, limit: 5, onlyIfCovered: true };
  return (await readNearest(database.sql, support, query)).hits.map(({ text }) => text);
}

const quantizedOn = async (database: Database) =>
  (
    await database.pool.query(
      `SELECT count(*)::int AS vectors, count(quantized)::int AS quantized,
         (SELECT bool_and(is_quantized) FROM memory_embedding_totals WHERE embedded > 0) AS done FROM memory_embeddings`,
    )
  ).rows[0];

test('a tenant moves from a server with pgvector to one without, and back: search by meaning finds the same entries', async () => {
  const before = await nearest(a);
  expect(before).toHaveLength(5);
  // A server with pgvector stores vectors without the form of 8 bits a component.
  await a.pool.query('UPDATE memory_embeddings SET quantized = NULL');
  await a.pool.query('UPDATE memory_embedding_totals SET is_quantized = false');
  await runMove(servers, { tenant: 'vectors', to: 'b', isAbort: false }, () => undefined);
  expect(await quantizedOn(b)).toEqual({ vectors: texts.length, quantized: 0, done: false });
  expect(await nearest(b)).toEqual(before);
  const { hasPgvector } = await new VectorSupportCache().read(b.sql, testProfile);
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const reindexer = new Reindexer({ database: b, logger, families });
  while (await reindexer.round());
  // Workers of a server without pgvector add it.
  if (!hasPgvector)
    expect(await quantizedOn(b)).toEqual({ vectors: texts.length, quantized: texts.length, done: true });
  expect(await nearest(b)).toEqual(before);
  await runMove(servers, { tenant: 'vectors', to: 'a', isAbort: false }, () => undefined);
  expect(await nearest(a)).toEqual(before);
  const { rows } = await a.pool.query('SELECT count(embedding)::int AS vectors FROM memory_embeddings');
  expect(rows).toEqual([{ vectors: texts.length }]);
});
