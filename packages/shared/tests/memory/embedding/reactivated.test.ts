import { expect, test } from 'vitest';
import { retireEntry } from '../../../src/memory/change-entry.ts';
import { readRetries, recordFailedTexts } from '../../../src/memory/embedding/failures.ts';
import { moveCursor, readPending } from '../../../src/memory/embedding/pending.ts';
import { activateProfile, findScopeToEmbed } from '../../../src/memory/embedding/profile.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { testProfile } from '../../support/embed.ts';
import { rememberFact } from '../../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('reactivated');
const { sql } = database;
const text = 'The port is 8,000.';
const batch = 64;

/** Remembers the text in a new Scope, records that the model refused it, and retires the entry. */
async function retireFailedEntry(scopeId: string) {
  const place = { tenantId, scopeId };
  const { entry } = await rememberFact(database, place, text);
  const found = await findScopeToEmbed(sql, tenantId, scopeId);
  if (found === undefined || entry === null) throw new Error('Nothing was remembered.');
  const scope = { tenantId, scopeKey: found.scopeKey, profileKey: await activateProfile(sql, testProfile) };
  const pending = await readPending(sql, scope, batch);
  const failed = pending?.entries.map((one) => ({ ...one, reason: 'refused' as const })) ?? [];
  await recordFailedTexts(sql, scope, failed);
  await retireEntry(database, { ...place, citation: entry.citation, reason: null });
  return { place, scope };
}

test('spec 20 S12: an entry that failed, was retired and is active again gets another attempt', async () => {
  const { place, scope } = await retireFailedEntry('reactivated');
  await rememberFact(database, place, text);
  const window = await readPending(sql, scope, batch);
  if (window !== undefined) await moveCursor(sql, scope, window);
  await database.pool.query("UPDATE failed_embeddings SET retry_at = now() - interval '1 s'");
  expect([...(window?.entries ?? []), ...(await readRetries(sql, scope, batch))]).toMatchObject([{ text }]);
});

test('the failure of a retired entry is deleted', async () => {
  const { scope } = await retireFailedEntry('retired');
  await readPending(sql, scope, batch);
  const { rows } = await database.pool.query('SELECT FROM failed_embeddings WHERE scope_key = $1', [
    scope.scopeKey,
  ]);
  expect(rows).toEqual([]);
});
