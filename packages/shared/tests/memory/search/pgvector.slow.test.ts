import {
  type ArtifactKey,
  type Database,
  Epochs,
  migrate,
  openDatabase,
  type TenantId,
} from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { ensureTenant } from '@continuity/shared/tenants';
import { type PgvectorServer, startPgvector } from '@continuity/testing/pgvector';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRevision } from '../../../src/memory/commit-revision.ts';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import { VectorIndex } from '../../../src/memory/embedding/vector-index.ts';
import { addEntry } from '../../../src/memory/entry-writes.ts';
import { ensureLockedMemory } from '../../../src/memory/head.ts';
import type { ChannelHit } from '../../../src/memory/search/index.ts';
import { readNearest, scoreByVector, VectorSupportCache } from '../../../src/memory/search/vectors/index.ts';
import {
  nearestAsOfStatement,
  nearestStatement,
  scoreStatement,
} from '../../../src/memory/search/vectors/pgvector-statements.ts';
import { columnMismatch } from '../../support/describe-statement.ts';
import { fillWithVectors, testDimension, testProfile, vectorOf } from '../../support/embed.ts';

/** On PGlite: one session, pgvector 0.8, the real migrations and statements. */
let server: PgvectorServer;
let database: Database;
let tenants: [TenantId, TenantId];
let profileKey: number;

const dimension = testDimension;
const profile = testProfile;
const large = 'large';
const small = 'small';
/** Above what is compared whole. */
const largeEntries = 5_200;
const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
let state = 7;

function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

const sentence = () => Array.from({ length: 5 }, () => words[next(words.length)]).join(' ');

beforeAll(async () => {
  server = await startPgvector();
  await migrate(server.url);
  database = openDatabase({ url: server.url, size: 1, name: 'pgvector', onIdleError: () => undefined });
  tenants = [await ensureTenant(database, 'one'), await ensureTenant(database, 'two')];
  profileKey = await activateProfile(database.sql, profile);
  const texts = Array.from({ length: largeEntries }, (_, index) => `${sentence()} ${index}`);
  await fillWithVectors(database, { tenantId: tenants[0], scopeId: large, profileKey }, texts);
  await fillWithVectors(database, { tenantId: tenants[0], scopeId: small, profileKey }, texts.slice(0, 400));
  // Of another tenant, in a Scope of the same name: nearer to the queries than anything else.
  await fillWithVectors(
    database,
    { tenantId: tenants[1], scopeId: large, profileKey },
    Array.from({ length: 300 }, (_, index) => `foreign word1 word2 ${index}`),
  );
});

afterAll(async () => {
  await database.close();
  await server.close();
});

test('each statement of pgvector has the declared columns', async () => {
  // Pipelined connections, as of the pool, cannot describe a statement.
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    for (const statement of [
      nearestStatement(dimension, null),
      nearestStatement(dimension, profileKey),
      nearestAsOfStatement(dimension),
      scoreStatement(dimension),
    ])
      expect(await columnMismatch(client, statement)).toBeUndefined();
  } finally {
    await client.end();
  }
});

const query = 'word1 word2';

async function nearest(
  scopeId: string,
  options: {
    tenant?: 0 | 1;
    limit?: number;
    hasPgvector?: boolean;
    windows?: string[];
    asOf?: string | undefined;
  } = {},
) {
  const { tenant = 0, limit = 40, windows = [query], asOf } = options;
  const support = await new VectorSupportCache().read(database.sql, profile);
  const { hasPgvector = support.hasPgvector } = options;
  const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
  return await database.snapshot((sql) =>
    readNearest(
      sql,
      { ...support, hasPgvector },
      {
        tenantId: tenants[tenant],
        scopeId,
        vector: { profile, windows: windows.map(vectorOf), usage },
        limit,
        onlyIfCovered: true,
        asOf,
      },
    ),
  );
}

const keysOf = (hits: ChannelHit[]) => hits.map(({ entry_id }) => entry_id);

/** Scans of the profile's index since the server began. */
async function walks(): Promise<number> {
  await database.pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.pool.query(
    'SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = $1',
    [`memory_embeddings_hnsw_${profileKey}`],
  );
  return rows[0]?.idx_scan ?? 0;
}

test('the migrations make the extension, and searching by it finds what the process finds by itself', async () => {
  expect((await new VectorSupportCache().read(database.sql, profile)).hasPgvector).toBe(true);
  for (const scopeId of [small, large]) {
    const byExtension = await nearest(scopeId);
    const inProcess = await nearest(scopeId, { hasPgvector: false });
    expect(byExtension.hits).toHaveLength(40);
    expect(byExtension.hits[0]?.score).toBeGreaterThan(0.3);
    // Equal but for the last digits, which may swap neighbors.
    for (const [index, hit] of byExtension.hits.entries())
      expect(hit.score).toBeCloseTo(inProcess.hits[index]?.score ?? 0, 5);
    const last = (byExtension.hits.at(-1)?.score ?? 0) + 0.0001;
    const above = ({ hits }: { hits: ChannelHit[] }) =>
      keysOf(hits.filter(({ score }) => score > last)).sort();
    expect(above(byExtension)).toEqual(above(inProcess));
  }
});

test('spec 25 Q8: the windows of a query share one list, by the nearest window of each entry', async () => {
  const windows = ['word1 word2', 'word7 word8', 'word30 word31'];
  for (const scopeId of [small, large]) {
    const byExtension = await nearest(scopeId, { windows });
    const inProcess = await nearest(scopeId, { windows, hasPgvector: false });
    expect(new Set(keysOf(byExtension.hits)).size).toBe(40);
    for (const [index, hit] of byExtension.hits.entries())
      expect(hit.score).toBeCloseTo(inProcess.hits[index]?.score ?? 0, 5);
    for (const window of windows) {
      const [best] = (await nearest(scopeId, { windows: [window] })).hits;
      expect(byExtension.hits.find(({ score }) => Math.abs(score - (best?.score ?? 0)) < 1e-6)).toBeDefined();
    }
  }
});

test('spec 20 S10: given entries have their exact similarity, also below the admission limit', async () => {
  const support = await new VectorSupportCache().read(database.sql, profile);
  const { rows: entries } = await database.pool.query<{
    artifact_key: ArtifactKey;
    entry_id: string;
    text: string;
  }>(
    `SELECT v.artifact_key, v.entry_id, v.text FROM memory_versions v JOIN artifacts a USING (tenant_id, artifact_key)
     JOIN scopes s ON s.tenant_id = a.tenant_id AND s.scope_key = a.scope_key WHERE s.scope_id = $1 LIMIT 50`,
    [small],
  );
  const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
  const vector = { profile, windows: [vectorOf(query)], usage };
  const asked = { tenantId: tenants[0], scopeId: small, vector, limit: 10, onlyIfCovered: false };
  const expected = entries.map(({ text }) =>
    vectorOf(text).reduce((sum, value, place) => sum + value * (vector.windows[0]?.[place] ?? 0), 0),
  );
  expect(Math.min(...expected)).toBeLessThan(0.3);
  for (const hasPgvector of [true, false]) {
    const scores = await scoreByVector(database.sql, { ...support, hasPgvector }, asked, entries);
    for (const [place, { artifact_key, entry_id }] of entries.entries())
      expect(scores.get(`${artifact_key} ${entry_id}`)).toBeCloseTo(expected[place] ?? 0, 5);
  }
});

test('a Scope that is too large to be compared whole is searched by an HNSW index, once a worker has built it', async () => {
  const exact = await nearest(large);
  const index = new VectorIndex(server.url, new Epochs(), createLogger({ LOG_LEVEL: 'silent' }, 'test'));
  index.buildIfLarge(profileKey, dimension, largeEntries);
  await index.waitForBuild();
  const before = await walks();
  const walked = await nearest(large);
  expect(await walks()).toBe(before + 1);
  const same = keysOf(walked.hits).filter((key) => keysOf(exact.hits).includes(key));
  expect(same.length).toBeGreaterThanOrEqual(36);
  expect(walked.hits.map(({ score }) => score)).toEqual(
    walked.hits.map(({ score }) => score).sort((left, right) => right - left),
  );
  const again = await nearest(small);
  expect(await walks()).toBe(before + 1);
  expect(again.hits).toHaveLength(40);
});

test("spec 20 scenario 28: nearer vectors of another tenant neither show nor crowd out one's own", async () => {
  const mine = await nearest(large);
  expect(mine.hits).toHaveLength(40);
  expect(mine.hits.every(({ text }) => !text.startsWith('foreign'))).toBe(true);
  const theirs = await nearest(large, { tenant: 1 });
  expect(theirs.hits.every(({ text }) => text.startsWith('foreign'))).toBe(true);
  expect((await nearest(small, { tenant: 1 })).headRevision).toBeNull();
});

test('spec 26 S1: pgvector and the process leave out the same ended entries, and find the same as of a time', async () => {
  const scopeId = 'with ended';
  const end = new Date(Date.now() - 60_000);
  await database.transaction(async (sql) => {
    const memory = await ensureLockedMemory(sql, tenants[0], scopeId);
    const entries = Array.from({ length: 60 }, (_, n) =>
      addEntry({ kind: 'fact', text: `word1 word2 ${n}`, holds_until: n % 3 === 0 ? null : end }, null),
    );
    await addRevision(sql, memory, entries);
  });
  await fillWithVectors(database, { tenantId: tenants[0], scopeId, profileKey }, ['word1 word2 word3']);
  // As if the end had passed since the entries were written.
  await database.pool.query(
    `UPDATE memory_states SET holds_until = $1 WHERE NOT ended AND entry_id IN (
       SELECT s.entry_id FROM memory_states s JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $2 AND NOT s.ended LIMIT 5)`,
    [end.toISOString(), scopeId],
  );
  const before = new Date(end.getTime() - 60_000).toISOString();
  for (const [asOf, count] of [
    [undefined, 16],
    [before, 61],
  ] as const) {
    const byExtension = await nearest(scopeId, { limit: 100, asOf });
    const inProcess = await nearest(scopeId, { limit: 100, asOf, hasPgvector: false });
    expect(byExtension.hits).toHaveLength(count);
    expect(keysOf(byExtension.hits).sort()).toEqual(keysOf(inProcess.hits).sort());
  }
});

test('an index that a killed worker left unfinished is built anew', async () => {
  const name = `memory_embeddings_hnsw_${profileKey}`;
  await database.pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass`);
  expect((await new VectorSupportCache().read(database.sql, profile)).indexed).toBeNull();
  const index = new VectorIndex(server.url, new Epochs(), createLogger({ LOG_LEVEL: 'silent' }, 'test'));
  index.buildIfLarge(profileKey, dimension, largeEntries);
  await index.waitForBuild();
  expect((await new VectorSupportCache().read(database.sql, profile)).indexed).toBeGreaterThan(0);
});

test('an index that a restored database lacks is built again', async () => {
  const epochs = new Epochs();
  const index = new VectorIndex(server.url, epochs, createLogger({ LOG_LEVEL: 'silent' }, 'test'));
  const indexed = async () => (await new VectorSupportCache().read(database.sql, profile)).indexed;
  const build = async () => {
    index.buildIfLarge(profileKey, dimension, largeEntries);
    await index.waitForBuild();
  };
  await build();
  await database.pool.query(`DROP INDEX memory_embeddings_hnsw_${profileKey}`);
  await build();
  expect(await indexed()).toBeNull();
  epochs.begin();
  await build();
  expect(await indexed()).toBeGreaterThan(0);
});

test('vectors of more than 2,000 dimensions are indexed in half precision', async () => {
  const wide = { profileId: 'wide', model: 'test', dimension: 2_100 };
  const wideKey = await activateProfile(database.sql, wide);
  await database.pool.query(
    `INSERT INTO memory_embeddings (tenant_id, scope_key, profile_key, artifact_key, entry_id, embedding)
     SELECT e.tenant_id, e.scope_key, $1, e.artifact_key, e.entry_id, e.embedding || array_fill(0::real, ARRAY[2076])
     FROM memory_embeddings e JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = $2 LIMIT 300`,
    [wideKey, small],
  );
  // As if the Scope were large: what decides is the counter.
  await database.pool.query(
    `INSERT INTO memory_embedding_totals (tenant_id, scope_key, profile_key, embedded)
     SELECT tenant_id, scope_key, $1, 6000 FROM scopes WHERE tenant_id = $2 AND scope_id = $3`,
    [wideKey, tenants[0], small],
  );
  const index = new VectorIndex(server.url, new Epochs(), createLogger({ LOG_LEVEL: 'silent' }, 'test'));
  index.buildIfLarge(wideKey, wide.dimension, 6_000);
  await index.waitForBuild();
  const support = await new VectorSupportCache().read(database.sql, wide);
  expect(support.indexed).toBe(300);
  const values = Float32Array.from({ length: wide.dimension }, (_, place) => vectorOf(query)[place] ?? 0);
  const usage = { requests: 1, input_tokens: null, output_tokens: null } as const;
  const asked = {
    tenantId: tenants[0],
    scopeId: small,
    vector: { profile: wide, windows: [values], usage },
    limit: 10,
    onlyIfCovered: true,
  };
  const walked = await database.snapshot((sql) => readNearest(sql, support, asked));
  const exact = await database.snapshot((sql) => readNearest(sql, { ...support, indexed: null }, asked));
  expect(walked.hits).toHaveLength(10);
  const same = keysOf(walked.hits).filter((key) => keysOf(exact.hits).includes(key));
  expect(same.length).toBeGreaterThanOrEqual(8);
});
