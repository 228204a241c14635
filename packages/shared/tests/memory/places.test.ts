import { createLogger } from '@continuity/kernel/telemetry';
import { expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { families } from '../../src/families/index.ts';
import { retireEntry, reviseEntry } from '../../src/memory/change-entry.ts';
import { Reindexer } from '../../src/reindex/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { rememberFact, rememberFacts } from '../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('places', 6);
const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');

/** The place of each entry by its first text, of one Memory, in the order of creation. */
async function placesOf(scopeId: string, artifactId = 'memory'): Promise<[string, number | null][]> {
  const { rows } = await database.pool.query<{ text: string; place: number | null }>(
    `SELECT v.text, v.place FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN memory_changes ch USING (tenant_id, artifact_key)
     JOIN memory_versions v USING (tenant_id, artifact_key, entry_id)
     WHERE c.scope_id = $1 AND a.artifact_id = $2 AND ch.op = 'add' AND v.version = 1 ORDER BY ch.revision, v.entry_id`,
    [scopeId, artifactId],
  );
  return rows.map(({ text, place }) => [text, place]);
}

const numbered = (texts: string[]) => texts.map((text, index) => [text, index + 1]);

/** Makes the Scope look as one that processes of the release before have written. */
async function forgetPlaces(scopeId: string): Promise<void> {
  const scope = '(tenant_id, scope_key) IN (SELECT tenant_id, scope_key FROM scopes WHERE scope_id = $1)';
  const { pool } = database;
  await pool.query(
    `UPDATE memory_versions SET place = NULL WHERE artifact_key IN (SELECT artifact_key FROM artifacts WHERE ${scope})`,
    [scopeId],
  );
  await pool.query(`UPDATE artifacts SET last_place = 0, placed_revision = 0 WHERE ${scope}`, [scopeId]);
  await pool.query(`UPDATE memory_totals SET placed = 0 WHERE ${scope}`, [scopeId]);
}

/** As `rememberFact` by a process of the release before: it knows no places. */
async function rememberWithoutPlace(scopeId: string, text: string): Promise<void> {
  await rememberFact(database, { tenantId, scopeId }, text);
  const scope = '(tenant_id, scope_key) IN (SELECT tenant_id, scope_key FROM scopes WHERE scope_id = $1)';
  await database.pool.query('UPDATE memory_versions SET place = NULL WHERE text = $1', [text]);
  await database.pool.query(
    `UPDATE artifacts SET last_place = last_place - 1, placed_revision = placed_revision - 1 WHERE ${scope}`,
    [scopeId],
  );
  await database.pool.query(`UPDATE memory_totals SET placed = placed - 1 WHERE ${scope}`, [scopeId]);
}

async function reindexAll(): Promise<void> {
  const reindexer = new Reindexer({ database, logger, families });
  while (await reindexer.round());
}

test('spec 26 S15: an entry gets the number of its creation, once, whatever becomes of it', async () => {
  const place = { tenantId, scopeId: 'given' };
  const { entry } = await rememberFact(database, place, 'one');
  if (entry === null) throw new Error('Nothing was remembered.');
  const revised = await reviseEntry(database, {
    ...place,
    citation: entry.citation,
    content: { kind: 'fact', text: 'first' },
    reason: null,
  });
  if (revised.entry === null) throw new Error('Nothing was revised.');
  await retireEntry(database, { ...place, citation: revised.entry.citation, reason: null });
  await rememberFacts(database, place, ['two', 'three', 'four']);
  await rememberFact(database, place, 'first');
  await rememberFact(database, place, 'five');
  expect(await placesOf('given')).toEqual(numbered(['one', 'two', 'three', 'four', 'five']));
});

test('spec 26 S15: concurrent writers give each place once, and each Memory has its own places', async () => {
  const place = { tenantId, scopeId: 'raced' };
  await Promise.all(Array.from({ length: 20 }, (_, index) => rememberFact(database, place, `text ${index}`)));
  const places = (await placesOf('raced')).map(([, given]) => given);
  expect(places).toEqual(places.map((_, index) => index + 1));
  expect(places).toHaveLength(20);
  const entries = ['a', 'b'].map((text) => ({ kind: 'fact', text }));
  const body = { family: 'memory' as const, content: { entries } };
  const { body: other } = await createArtifact(
    { database, families },
    { ...place, idempotencyKey: undefined, body },
  );
  expect(await placesOf('raced', other.artifact_id)).toEqual(numbered(['a', 'b']));
});

test('spec 26 S15: entries of the release before get their places in the background, and no later one overtakes them', async () => {
  const scopeId = 'old';
  const texts = Array.from({ length: 150 }, (_, index) => `note ${index}`);
  for (const text of texts.slice(0, 3)) await rememberFact(database, { tenantId, scopeId }, text);
  await rememberFacts(database, { tenantId, scopeId }, texts.slice(3));
  for (let index = 0; index < 80; index += 1)
    await rememberFact(database, { tenantId, scopeId }, `later ${index}`);
  const later = Array.from({ length: 80 }, (_, index) => `later ${index}`);
  await forgetPlaces(scopeId);
  await rememberFact(database, { tenantId, scopeId }, 'newest');
  expect((await placesOf(scopeId)).at(-1)).toEqual(['newest', null]);
  // Writers and several workers at once.
  await Promise.all([reindexAll(), reindexAll(), rememberFact(database, { tenantId, scopeId }, 'meanwhile')]);
  await reindexAll();
  const all = [...texts, ...later, 'newest', 'meanwhile'];
  expect(await placesOf(scopeId)).toEqual(numbered(all));
  await rememberFact(database, { tenantId, scopeId }, 'next');
  await rememberWithoutPlace(scopeId, 'by an old process');
  await rememberFact(database, { tenantId, scopeId }, 'by a new one');
  expect((await placesOf(scopeId)).slice(-2).map(([, place]) => place)).toEqual([null, null]);
  await reindexAll();
  expect(await placesOf(scopeId)).toEqual(numbered([...all, 'next', 'by an old process', 'by a new one']));
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*) FROM reindexes) AS claims,
       (SELECT count(*) FROM memory_totals WHERE placed <> active_entries + inactive_entries) AS behind`,
  );
  expect(rows).toEqual([{ claims: 0, behind: 0 }]);
});
