import { createLogger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import type { ClaimedJob } from '@continuity/shared/jobs';
import { expect, test } from 'vitest';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import { runEmbed } from '../../../src/memory/embedding/run.ts';
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

/** 100,000 take some minutes on two cores: `REEMBED_ENTRIES=100000 npm run test:slow -- re-embed`. */
const entries = Number(process.env['REEMBED_ENTRIES'] ?? 3_000);
/** Place from which on the number of a note is no number of a team or week too, which thousands of older and newer entries hold. */
const firstNote = 100;
const { database, tenantId } = await openOwnDatabase('re-embed', 4);
const scopeId = 'large';
const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const usage = { requests: 1 as const, input_tokens: null, output_tokens: null };

/** A gateway with one of the two models. */
function gatewayOf(profileId: string) {
  const profile = { ...testProfile, profileId };
  const embed = async (text: string) => ({ profile, windows: [vectorOf(text)], usage });
  const embedder: QueryEmbedder = { embedQuery: embed, tryEmbedQuery: embed };
  const deps = {
    database,
    embedder: () => embedder,
    vectorSupport: new VectorSupportCache(),
    corpusCache: new CorpusCache(),
    reranker: null,
  };
  return async (query: string) =>
    await searchScope(
      deps,
      { tenantId, scopeId, limit: 10 },
      await parseQuery(embedder, { query, mode: 'auto' }),
    );
}

/**
 * Gives the entries the vectors of their texts. With any others, the entry that a query names is far from it by meaning, and of 100,000
 * there are ten that are nearer.
 */
async function setVectorsOfTexts(profileKey: number): Promise<void> {
  const { rows } = await database.pool.query<{
    scope_key: number;
    artifact_key: number;
    entry_id: string;
    text: string;
  }>(
    `SELECT m.scope_key, m.artifact_key, m.entry_id, v.text
     FROM memory_embeddings m JOIN memory_versions v USING (tenant_id, artifact_key, entry_id)
     WHERE m.tenant_id = $1 AND m.profile_key = $2`,
    [tenantId, profileKey],
  );
  for (let first = 0; first < rows.length; first += 1_000) {
    const some = rows.slice(first, first + 1_000);
    await database.pool.query(
      `UPDATE memory_embeddings SET embedding = ($6::text[])[array_position($5::uuid[], entry_id)]::real[]
       WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3 AND artifact_key = $4 AND entry_id = ANY ($5::uuid[])`,
      [
        ...[tenantId, some[0]?.scope_key, profileKey, some[0]?.artifact_key],
        some.map(({ entry_id }) => entry_id),
        some.map(({ text }) => `{${vectorOf(text).join(',')}}`),
      ],
    );
  }
}

/** Runs one job of a worker with the new model. Returns how many entries it embedded. */
async function embedOnce(profileKey: number, profileId: string): Promise<number> {
  const jobId = newId();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt)
     VALUES ($1, $2, 'memory-embed', 'embed_memory', $3, '{}', 'running', 1)`,
    [tenantId, jobId, jobId],
  );
  const embedder = {
    profile: { ...testProfile, profileId },
    embed: async (texts: string[]) => ({ vectors: texts.map(vectorOf), usage }),
  };
  const deps = {
    database,
    logger,
    embedder,
    batchSize: 64,
    onEndpoint: () => undefined,
    onStored: () => undefined,
  };
  const job = { tenantId, jobId, scopeId, attempt: 1 } as ClaimedJob;
  const payload = { scope_id: scopeId, profile_key: profileKey };
  await runEmbed(deps, profileKey, job, payload, new AbortController().signal);
  const { rows } = await database.pool.query('SELECT result FROM jobs WHERE job_id = $1', [jobId]);
  return rows[0].result.embedded;
}

test('while a new model embeds a store again, each search finds by words, and by meaning once its model is there', async ({
  annotate,
}) => {
  const oldKey = await activateProfile(database.sql, { ...testProfile, profileId: 'old' });
  await fillWithEnded(
    database,
    { tenantId, scopeId, profileKey: oldKey },
    { holding: entries, ended: 0 },
    testDimension,
  );
  await setVectorsOfTexts(oldKey);
  await database.pool.query('VACUUM ANALYZE');
  const gateways = { old: gatewayOf('old'), new: gatewayOf('new') };
  expect((await gateways.old('note 777')).mode).toBe('hybrid');

  const newKey = await activateProfile(database.sql, { ...testProfile, profileId: 'new' });
  let isDone = false;
  const searches: { gateway: string; mode: string | null; isFound: boolean; ms: number }[] = [];
  const searching = (async () => {
    for (let step = 0; !isDone; step += 7_919) {
      const place = firstNote + (step % (entries - firstNote));
      for (const [gateway, search] of Object.entries(gateways)) {
        const begun = performance.now();
        const { hits, mode } = await search(`note ${place}`);
        const isFound = hits.some(({ text }) => text.endsWith(`note ${place}`));
        searches.push({ gateway, mode, isFound, ms: performance.now() - begun });
      }
    }
  })();
  const begun = performance.now();
  let embedded = 0;
  while (embedded < entries) embedded += await embedOnce(newKey, 'new');
  const seconds = (performance.now() - begun) / 1_000;
  isDone = true;
  await searching;

  expect(embedded).toBe(entries);
  expect(searches.filter(({ isFound }) => !isFound)).toEqual([]);
  const modesOf = (name: string) =>
    searches.filter(({ gateway }) => gateway === name).map(({ mode }) => mode);
  // The old gateway has its vectors until it is gone. The new one has words, then both, and never goes back.
  expect(new Set(modesOf('old'))).toEqual(new Set(['hybrid']));
  expect(modesOf('new').toSorted()).toEqual(modesOf('new'));
  expect(modesOf('new')[0]).toBe('fts');
  expect((await gateways.new('note 777')).mode).toBe('hybrid');
  const times = searches.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(0);
  await annotate(
    `${entries} entries in ${seconds.toFixed(0)} s; ${searches.length} searches, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`,
  );
}, 1_800_000);
