import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { ensureTenant } from '@continuity/shared/tenants';
import { waitUntil } from '@continuity/testing';
import { beforeAll, expect, test } from 'vitest';
import { createArtifact } from '../src/artifacts/create.ts';
import { searchExperiences } from '../src/experience/index.ts';
import { families } from '../src/families/index.ts';
import { replaceMemory } from '../src/memory/artifact-writes.ts';
import { retireEntry, reviseEntry } from '../src/memory/change-entry.ts';
import { ensureLockedMemory } from '../src/memory/head.ts';
import { searchLexically } from '../src/memory/search/index.ts';
import { claimCorpus, findStaleCorpora, finishCorpus } from '../src/reindex/claims.ts';
import { Reindexer } from '../src/reindex/index.ts';
import { AnalyzedQuery, CorpusCache, firstBatchTerm, hashTerm } from '../src/search/index.ts';
import { openOwnDatabase } from './support/database.ts';
import { rememberFact, rememberFacts } from './support/memory.ts';

const { database, tenantId } = await openOwnDatabase('reindex', 6);
const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');

/** A machine that pauses does not end a transaction after this. */
const waitLong = statement('test_wait_long', 'SET LOCAL idle_in_transaction_session_timeout = 0');

/** The keys and the length that `analyzer.v1` gave these texts. */
const oldAnalysis = new Map<string, [string[], number]>([
  ['The parser is written in C++ and C#.', [['the', 'parser', 'is', 'written', 'in', 'c', 'and'], 8]],
  [
    'Send an e-mail when the nightly re-index ends.',
    [['send', 'an', 'e', 'mail', 'when', 'the', 'night', 're', 'index', 'end'], 10],
  ],
  [
    'Fixed in commit 8f3a2b7c9d1e4f5a6b7c8d9e0f1a2b3c4d5e6f70 by Mira.',
    [['fix', 'in', 'commit', '8f3a2b7c9d1e4f5a6b7c8d9e0f1a2b3c4d5e6f70', 'by', 'mira'], 6],
  ],
]);
const oldTexts = [...oldAnalysis.keys()];

/** Queries, each of which `analyzer.v2` answers by one of the old texts, in their order. */
const queries = ['C++', 'email reindex', '8f3a2b7c'];

interface Place {
  tenantId: TenantId;
  scopeId: string;
}

const wordsOf = (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];

/** Stores the terms of `analyzer.v1` for the entries of a Scope, as a process of an older release writes them. */
async function storeOldTerms({ tenantId: tenant, scopeId }: Place): Promise<void> {
  const { rows } = await database.pool.query<{ entry_id: string; text: string; scope_key: number }>(
    `SELECT s.entry_id, v.text, s.scope_key FROM scopes c JOIN memory_states s USING (tenant_id, scope_key)
     JOIN memory_versions v ON v.tenant_id = s.tenant_id AND v.artifact_key = s.artifact_key AND v.entry_id = s.entry_id AND v.version = s.version
     WHERE c.tenant_id = $1 AND c.scope_id = $2 AND s.valid_to IS NULL AND s.active`,
    [tenant, scopeId],
  );
  const corpus = { tenantId: tenant, scopeId };
  const batch = firstBatchTerm(corpus);
  for (const { entry_id, text } of rows) {
    const [keys, length] = oldAnalysis.get(text) ?? [wordsOf(text), wordsOf(text).length];
    const terms = [...keys.map((key) => hashTerm(corpus, key)).sort((a, b) => a - b), batch];
    await database.pool.query(
      'UPDATE memory_states SET terms = $3, term_frequencies = $4, length = $5 WHERE tenant_id = $1 AND entry_id = $2 AND terms IS NOT NULL',
      [tenant, entry_id, terms, terms.map(() => 1), length],
    );
  }
  const scopeKey = rows[0]?.scope_key;
  await database.pool.query('DELETE FROM memory_terms WHERE tenant_id = $1 AND scope_key = $2', [
    tenant,
    scopeKey,
  ]);
  await database.pool.query(
    `INSERT INTO memory_terms SELECT s.tenant_id, s.scope_key, term, count(*) FROM memory_states s, unnest(s.terms) AS term
     WHERE s.tenant_id = $1 AND s.scope_key = $2 GROUP BY 1, 2, 3`,
    [tenant, scopeKey],
  );
  await database.pool.query(
    `UPDATE memory_totals t SET analyzed_v2 = 0, total_length = (
       SELECT sum(length) FROM memory_states s WHERE s.tenant_id = $1 AND s.scope_key = $2)
     WHERE t.tenant_id = $1 AND t.scope_key = $2`,
    [tenant, scopeKey],
  );
}

/** Terms and counters of a Scope, as search reads them. */
async function indexOf({ tenantId: tenant, scopeId }: Place) {
  const of = (sql: string) => database.pool.query(sql, [tenant, scopeId]).then(({ rows }) => rows);
  const scope =
    '(tenant_id, scope_key) IN (SELECT tenant_id, scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2)';
  return {
    states: await of(
      `SELECT entry_id, terms, term_frequencies, length FROM memory_states WHERE terms IS NOT NULL AND ${scope} ORDER BY entry_id`,
    ),
    terms: await of(`SELECT term, entries FROM memory_terms WHERE entries <> 0 AND ${scope} ORDER BY term`),
    totals: await of(`SELECT active_entries, total_length, languages FROM memory_totals WHERE ${scope}`),
  };
}

/** Document frequencies that differ from those of the stored terms, in any Scope. */
async function wrongCounts(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `SELECT * FROM (SELECT tenant_id, scope_key, term, entries FROM memory_terms WHERE entries <> 0) AS kept
     FULL JOIN (
       SELECT tenant_id, scope_key, term, count(*) AS found FROM memory_states, unnest(terms) AS term GROUP BY 1, 2, 3
     ) AS counted USING (tenant_id, scope_key, term)
     WHERE entries IS DISTINCT FROM found
     LIMIT 5`,
  );
  return rows;
}

async function staleCorpora(): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*) FROM memory_totals WHERE analyzed_v2 <> entered)
       + (SELECT count(*) FROM document_totals WHERE analyzed_v2 <> entered) + (SELECT count(*) FROM reindexes) AS count`,
  );
  return rows[0]?.count;
}

/** Runs rounds until a pass finds nothing. */
async function reindexAll(on = database): Promise<void> {
  const reindexer = new Reindexer({ database: on, logger, families });
  while (await reindexer.round());
}

async function find({ tenantId: tenant, scopeId }: Place, text: string): Promise<string[]> {
  const query = { tenantId: tenant, scopeId, query: new AnalyzedQuery(text), limit: 3 };
  return (await searchLexically(database.sql, new CorpusCache(), query)).hits.map((hit) => hit.text);
}

const fillers = (count: number) =>
  Array.from({ length: count }, (_, index) => `Note ${index} about subject${index}.`);

let otherTenant: TenantId;

beforeAll(async () => {
  otherTenant = await ensureTenant(database, 'other');
});

test('entries with the terms of an older analyzer are found after a reindex, with the index that new ones have', async () => {
  const places = [
    { tenantId, scopeId: 'old' },
    { tenantId: otherTenant, scopeId: 'old' },
  ];
  for (const place of places) {
    await rememberFacts(database, place, [...oldTexts, ...fillers(200)]);
    const fresh = await indexOf(place);
    await storeOldTerms(place);
    for (const query of queries) expect(await find(place, query)).toEqual([]);
    expect(await indexOf(place)).not.toEqual(fresh);
    await reindexAll();
    for (const [index, query] of queries.entries())
      expect((await find(place, query))[0]).toBe(oldTexts[index]);
    expect(await indexOf(place)).toEqual(fresh);
  }
  expect(await staleCorpora()).toBe(0);
});

test('what an older release writes later is found after the next pass', async () => {
  const place = { tenantId, scopeId: 'mixed' };
  await rememberFacts(database, place, oldTexts.slice(0, 2));
  await rememberFact(database, place, oldTexts[2] ?? '');
  const fresh = await indexOf(place);
  await storeOldTerms(place);
  // The older release raises `entered` alone: two of the three entries count as analyzed.
  await database.pool.query('UPDATE memory_totals SET analyzed_v2 = 2 WHERE analyzed_v2 = 0');
  await reindexAll();
  expect(await indexOf(place)).toEqual(fresh);
  expect(await staleCorpora()).toBe(0);
});

test('a killed worker loses nothing: another one continues behind its last batch', async () => {
  const place = { tenantId, scopeId: 'killed' };
  await rememberFacts(database, place, [...oldTexts, ...fillers(300)]);
  const fresh = await indexOf(place);
  await storeOldTerms(place);
  for (let batches = 0; batches < 3; batches += 1) {
    let left = batches;
    let isKilled = false;
    const killed = {
      ...database,
      transaction: (async (work) => {
        left -= 1;
        // The process ends before it commits.
        if (left < 0) {
          isKilled = true;
          throw new Error('The process was killed.');
        }
        return await database.transaction(work);
      }) as typeof database.transaction,
    };
    const reindexer = new Reindexer({ database: killed, logger, families });
    // On a busy machine, a round ends before the kill, and the next one goes on.
    for (let rounds = 0; !isKilled && rounds < 100; rounds += 1) await reindexer.round();
    expect(isKilled).toBe(true);
    expect(await wrongCounts()).toEqual([]);
    expect(await staleCorpora()).toBeGreaterThan(0);
    // Nobody else has it, until its claim ends.
    await reindexAll();
    expect(await staleCorpora()).toBeGreaterThan(0);
    await database.pool.query("UPDATE reindexes SET claimed_until = now() - interval '1 s'");
  }
  await reindexAll();
  expect(await indexOf(place)).toEqual(fresh);
  expect(await staleCorpora()).toBe(0);
});

test('several workers, and writers of the same Scopes, leave exact counters', async () => {
  const places = Array.from({ length: 6 }, (_, index) => ({
    tenantId: index % 2 === 0 ? tenantId : otherTenant,
    scopeId: `race ${index}`,
  }));
  const write = async (place: Place) => {
    for (let index = 0; index < 8; index += 1) {
      const { entry } = await rememberFact(database, place, `The old note ${index} of C++ in e-mail.`);
      if (entry === null) throw new Error('Nothing was remembered.');
      const cited = { ...place, citation: entry.citation, reason: null };
      if (index % 2 === 0)
        await reviseEntry(database, {
          ...cited,
          content: { kind: 'fact', text: `New note ${index}, re-indexed.` },
        });
      else await retireEntry(database, cited);
    }
  };
  for (const place of places) {
    await rememberFacts(database, place, [...oldTexts, ...fillers(80)]);
    await storeOldTerms(place);
  }
  await Promise.all([...places.map(write), reindexAll(), reindexAll(), reindexAll()]);
  await reindexAll();
  expect(await wrongCounts()).toEqual([]);
  expect(await staleCorpora()).toBe(0);
  for (const place of places) expect(await find(place, '8f3a2b7c')).toEqual([oldTexts[2]]);
});

test('a corpus that another worker finishes during a claim is not counted twice', async () => {
  const place = { tenantId, scopeId: 'finished' };
  await rememberFacts(database, place, oldTexts);
  await storeOldTerms(place);
  const [stale] = await findStaleCorpora(database.sql, null);
  if (stale === undefined) throw new Error('Nothing is stale.');
  const first = await claimCorpus(database.sql, stale);
  if (first === undefined) throw new Error('The corpus was not claimed.');
  // The second worker saw the corpus before the first one claimed it.
  await database.pool.query("UPDATE reindexes SET claimed_until = now() - interval '1 s'");
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const second = await database.transaction(async (sql) => {
    await sql.rows(waitLong, []);
    await finishCorpus(sql, first);
    const claim = claimCorpus(database.sql, stale);
    await waitUntil(async () => (await database.pool.query(waits)).rowCount === 1);
    return { claim };
  });
  const claimed = await second.claim;
  if (claimed !== undefined) await finishCorpus(database.sql, claimed);
  expect(await staleCorpora()).toBe(0);
});

test('a Replace that was computed before a reindex leaves exact counters', async () => {
  const place = { tenantId, scopeId: 'replaced' };
  await rememberFacts(database, place, oldTexts);
  await storeOldTerms(place);
  const states = (await indexOf(place)).states as { entry_id: string }[];
  const entries = states.map(({ entry_id }) => ({
    entry_id,
    kind: 'fact',
    text: `A new text of ${entry_id}.`,
  }));
  const lock = (sql: Sql) => ensureLockedMemory(sql, tenantId, place.scopeId);
  const head = await database.transaction(lock);
  const next = await replaceMemory(database.sql, head, { entries });
  await reindexAll();
  await database.transaction(async (sql) => {
    await lock(sql);
    await next.commit(sql, { source_type: 'observation', source_id: 'replace' }, []);
  });
  expect(await wrongCounts()).toEqual([]);
});

test('Experiences and Skills are found too', async () => {
  const scopeId = 'documents';
  const create = (body: Parameters<typeof createArtifact>[1]['body']) =>
    createArtifact({ database, families }, { tenantId, scopeId, idempotencyKey: undefined, body });
  const lesson = 'Send an e-mail when the nightly re-index ends.';
  const content = {
    situation: 'The index was stale.',
    action: 'We rebuilt it.',
    outcome: 'It works.',
    lesson,
  };
  await create({ family: 'experience', content });
  const skill = { name: 'email', description: 'Sends an e-mail.', instructions: 'Send it.', validation: [] };
  await create({ family: 'skill', content: skill });
  const read = () =>
    database.pool.query('SELECT * FROM document_projections ORDER BY artifact_key').then(({ rows }) => rows);
  const fresh = await read();
  for (const { artifact_key, terms, term_frequencies, length } of fresh) {
    // The older analyzer had no word for the joined parts.
    const kept = terms.slice(0, 6);
    await database.pool.query(
      'UPDATE document_projections SET terms = $2, term_frequencies = $3, length = $4 WHERE artifact_key = $1',
      [artifact_key, kept, term_frequencies.slice(0, 6), length - 1],
    );
  }
  await database.pool.query('UPDATE document_totals SET analyzed_v2 = 0, total_length = total_length - 1');
  await database.pool.query('DELETE FROM document_terms');
  await database.pool.query(
    `INSERT INTO document_terms SELECT tenant_id, scope_key, term, count(*) FROM document_projections, unnest(terms) AS term
     GROUP BY 1, 2, 3`,
  );
  await reindexAll();
  expect(await read()).toEqual(fresh);
  expect(await staleCorpora()).toBe(0);
  const query = { tenantId, scopeId, query: new AnalyzedQuery('email reindex'), limit: 3 };
  const found = await searchExperiences(database.sql, new CorpusCache(), query);
  expect(found.map((hit) => hit.content.lesson)).toEqual([lesson]);
});
