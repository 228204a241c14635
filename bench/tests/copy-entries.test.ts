import { openDatabase } from '@continuity/kernel/database';
import { remember, requireEntry } from '@continuity/shared/memory';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { expect, test } from 'vitest';
import { multiplyEntries } from '../src/data/copy-entries.ts';
import { seededRandom } from '../src/data/random.ts';
import { readHeads } from '../src/data/scopes.ts';
import { type Entry, makeEntry } from '../src/data/texts.ts';
import { query } from '../src/servers/query.ts';

const scopeId = 'multiplied';

/** Everything that a remember writes, without keys, ids and times. */
const written = {
  head: 'SELECT head_revision, last_place, placed_revision FROM artifacts',
  entries: `SELECT s.valid_from, s.valid_to, s.version, s.active, s.equality_hash, s.terms, s.term_frequencies, s.length, s.ended,
      v.kind, v.text, v.content_hash, v.place, v.source_refs, v.artifact_refs, ch.op, ch.from_version, ch.to_version, ch.reason
    FROM memory_states s JOIN memory_versions v USING (tenant_id, artifact_key, entry_id, version)
    JOIN memory_changes ch ON ch.artifact_key = s.artifact_key AND ch.revision = s.valid_from AND ch.entry_id = s.entry_id
    ORDER BY s.valid_from`,
  inOrderOfIds: 'SELECT valid_from FROM memory_states ORDER BY entry_id',
  revisions: 'SELECT revision, sources, artifacts, content_digest FROM artifact_revisions ORDER BY revision',
  totals: `SELECT active_entries, inactive_entries, total_length, entered, languages, analyzed_v2, placed, ended_entries
    FROM memory_totals`,
  kinds: 'SELECT kind, active_entries, inactive_entries, is_used FROM memory_kinds ORDER BY kind',
  terms: 'SELECT term, entries, ended FROM memory_terms ORDER BY term',
};

/** A database with the entries, remembered one after the other by the service. */
async function remembered(entries: readonly Entry[]) {
  const source = await createDatabase();
  const database = openDatabase({ url: source.url, size: 1, name: 'copies', onIdleError: () => undefined });
  // The terms of both databases depend on the key of the tenant, which is random.
  await query(source.url, "INSERT INTO tenants (tenant_id, name) VALUES (7, 'default')");
  const tenantId = await ensureTenant(database, 'default');
  for (const entry of entries)
    await remember(database, { tenantId, scopeId, ...requireEntry(entry), expectedRevision: null });
  return {
    url: source.url,
    again: (entry: Entry) =>
      remember(database, { tenantId, scopeId, ...requireEntry(entry), expectedRevision: null }),
    rows: async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(written).map(async ([name, sql]) => [name, await query(source.url, sql)]),
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await source.drop();
    },
  };
}

test('multiplied entries are the rows that the service writes for the same texts', async () => {
  const random = seededRandom(11);
  const entries = Array.from({ length: 40 }, () => makeEntry(random, 200));
  await using multiplied = await remembered(entries);
  const [head] = await readHeads(multiplied.url, [scopeId]);
  if (head === undefined) throw new Error('There is no head.');
  await multiplyEntries(multiplied.url, head, 3);
  const all = ['', ' Kwaba.', ' Kwabo.'].flatMap((more) =>
    entries.map(({ kind, text }) => ({ kind, text: text + more })),
  );
  await using single = await remembered(all);
  expect(await multiplied.rows()).toEqual(await single.rows());
  expect(head.headRevision).toBe(120);
  // A remember of a copied text finds it, and another one goes on after the copies.
  const last = all.at(-1) as Entry;
  expect((await multiplied.again(last)).memory.revision).toBe(120);
  expect((await multiplied.again({ ...last, text: 'Another one.' })).memory.revision).toBe(121);
});
