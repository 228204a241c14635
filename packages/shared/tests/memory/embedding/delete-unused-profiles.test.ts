import { type Database, openDatabase, type ScopeKey } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { deleteUnusedProfiles } from '../../../src/memory/embedding/delete-unused-profiles.ts';
import { moveCursor, readPending } from '../../../src/memory/embedding/pending.ts';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import { fillWithVectors, testProfile } from '../../support/embed.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 2, name: 'forget', onIdleError: () => undefined });

afterAll(async () => {
  await database.close();
  await source.drop();
});

const profilesWithVectors = async () =>
  (
    await database.pool.query(
      `SELECT profile_id, count(*)::int AS vectors FROM memory_embeddings JOIN embedding_profiles USING (profile_key)
       GROUP BY profile_id ORDER BY profile_id`,
    )
  ).rows;

test('vectors of a profile that no worker has used for a day are deleted, and no others', async () => {
  const tenantId = await ensureTenant(database, 'default');
  const texts = Array.from({ length: 1_050 }, (_, index) => `Sentence ${index}`);
  const old = await activateProfile(database.sql, { ...testProfile, profileId: 'old' });
  await fillWithVectors(database, { tenantId, scopeId: 'one', profileKey: old }, texts);
  await fillWithVectors(database, { tenantId, scopeId: 'two', profileKey: old }, ['A sentence']);
  const recent = await activateProfile(database.sql, { ...testProfile, profileId: 'recent' });
  await fillWithVectors(database, { tenantId, scopeId: 'three', profileKey: recent }, ['A sentence']);
  const current = await activateProfile(database.sql, { ...testProfile, profileId: 'current' });
  await fillWithVectors(database, { tenantId, scopeId: 'four', profileKey: current }, ['A sentence']);

  const dropped: number[] = [];
  const forget = () =>
    deleteUnusedProfiles(database, current, async (profileKey) => {
      dropped.push(profileKey);
    });
  await forget();
  expect(await profilesWithVectors()).toHaveLength(3);

  await database.pool.query(
    `UPDATE embedding_profiles SET seen_at = now() - interval '25 hours' WHERE profile_id IN ('old', 'current')`,
  );
  await forget();
  expect(dropped).toEqual([old]);
  expect(await profilesWithVectors()).toEqual([
    { profile_id: 'current', vectors: 1 },
    { profile_id: 'recent', vectors: 1 },
  ]);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM embedding_profiles WHERE profile_key = $1) AS profiles,
       (SELECT count(*)::int FROM memory_embedding_totals WHERE profile_key = $1) AS totals,
       (SELECT count(*)::int FROM memory_embedding_cursors WHERE profile_key = $1) AS cursors`,
    [old],
  );
  expect(rows).toEqual([{ profiles: 0, totals: 0, cursors: 0 }]);
});

test('a profile that a worker activates again during the deletion keeps its other vectors, and gets the deleted ones back', async () => {
  const place = { tenantId: await ensureTenant(database, 'returned'), scopeId: 'one' };
  const texts = Array.from({ length: 1_050 }, (_, index) => `Sentence ${index}`);
  const profile = { ...testProfile, profileId: 'returned' };
  const returned = await activateProfile(database.sql, profile);
  const scopeKey = await fillWithVectors(database, { ...place, profileKey: returned }, texts);
  const scope = { tenantId: place.tenantId, scopeKey: scopeKey as ScopeKey, profileKey: returned };
  const window = await readPending(database.sql, scope, 1);
  if (window !== undefined) await moveCursor(database.sql, scope, window);
  const current = await activateProfile(database.sql, { ...testProfile, profileId: 'current' });
  await database.pool.query(
    `UPDATE embedding_profiles SET seen_at = now() - interval '25 hours' WHERE profile_id = 'returned'`,
  );
  const interrupted: Database = {
    ...database,
    transaction: async (work) => {
      const result = await database.transaction(work);
      await activateProfile(database.sql, profile);
      return result;
    },
  };
  await deleteUnusedProfiles(interrupted, current, () => Promise.reject(new Error('It has vectors.')));
  const { rows } = await database.pool.query(
    `SELECT embedded::int, (SELECT count(*)::int FROM memory_embeddings WHERE profile_key = $1) AS vectors
     FROM memory_embedding_totals WHERE profile_key = $1`,
    [returned],
  );
  expect(rows).toEqual([{ embedded: 50, vectors: 50 }]);
  const pending = await readPending(database.sql, scope, texts.length);
  expect(pending?.entries).toHaveLength(1_000);
});

test('an unused profile of a tenant that has left this server waits, and no other profile waits for it', async () => {
  const keys = [
    await activateProfile(database.sql, { ...testProfile, profileId: 'waiting-1' }),
    await activateProfile(database.sql, { ...testProfile, profileId: 'waiting-2' }),
  ].toSorted((one, other) => one - other);
  const [kept, deleted] = keys as [number, number];
  const left = await ensureTenant(database, 'left');
  await fillWithVectors(database, { tenantId: left, scopeId: 'one', profileKey: kept }, ['A sentence']);
  const stayed = await ensureTenant(database, 'stayed');
  await fillWithVectors(database, { tenantId: stayed, scopeId: 'one', profileKey: deleted }, ['A sentence']);
  await database.pool.query(
    `INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, 'left', 'left', 'b', gen_random_uuid())`,
    [left],
  );
  const current = await activateProfile(database.sql, { ...testProfile, profileId: 'current' });
  await database.pool.query(
    `UPDATE embedding_profiles SET seen_at = now() - interval '25 hours' WHERE profile_key = ANY($1)`,
    [keys],
  );
  const dropped: number[] = [];
  const forget = () => deleteUnusedProfiles(database, current, async (key) => void dropped.push(key));
  await forget();
  expect(dropped).toEqual([deleted]);
  await forget();
  expect(dropped).toEqual([deleted]);
  // `tenants clean` has deleted its rows.
  await database.pool.query('DELETE FROM memory_embedding_totals WHERE tenant_id = $1', [left]);
  await forget();
  expect(dropped).toEqual([deleted, kept]);
});
