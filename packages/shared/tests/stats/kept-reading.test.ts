import type { ScopeSelection } from '@continuity/contract';
import { type LongBody, ReadyBody } from '@continuity/shared/kernel';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { KeptReadings } from '../../src/stats/kept-readings.ts';
import { readStats } from '../../src/stats/read-stats.ts';
import { openOwnDatabase } from '../support/database.ts';
import { bytesOf } from '../support/long-body.ts';

const { database, tenantId } = await openOwnDatabase('kept-reading', 4);
const { pool } = database;
let now = new Date('2026-11-20T23:59:00.000Z');
const today = () => now.toISOString().slice(0, 10);

/** More Scopes than are listed, each with all counters, on two days. */
const scopes = 1_100;

beforeAll(async () => {
  await pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT $1, 'scope ' || lpad(n::text, 4, '0'), '', '' FROM generate_series(1, $2::int) AS n RETURNING scope_key
     ), line AS (
       INSERT INTO source_lines (tenant_id, scope_key, last_position, eligible_count) SELECT $1, scope_key, 9, 5 FROM scope
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) SELECT $1, scope_key, 'skill', 'a' FROM scope
     ), total AS (
       INSERT INTO memory_totals (tenant_id, scope_key, active_entries) SELECT $1, scope_key, 3 FROM scope
     ), kind AS (
       INSERT INTO memory_kinds (tenant_id, scope_key, kind, active_entries)
       SELECT $1, scope_key, kind, 1 FROM scope, unnest(ARRAY['fact', '團隊規則', 'kind ' || scope_key % 7]) AS kind
     ), recall AS (
       INSERT INTO recall_days (tenant_id, scope_key, day, estimator, preparations, baseline_tokens)
       SELECT $1, scope_key, $3::date - n, 'character:weighted/1', 2, 50 FROM scope, generate_series(0, 4, 4) AS n
     )
     INSERT INTO model_usage_days
     SELECT $1, scope_key, $3::date - n, 'memory_recall', 'embedding', 1, 7, 7 FROM scope, generate_series(0, 4, 4) AS n`,
    [tenantId, scopes, today()],
  );
});

const clock = { now: () => now };
const reading = { database, clock, isEstimating: true };
const all = { mode: 'all' } as ScopeSelection;
const named = (place: number) => `scope ${String(place).padStart(4, '0')}`;

const ask = (kept: KeptReadings | undefined, selection = all, period: 'today' | '30d' = '30d') =>
  readStats({ ...reading, ...(kept && { kept }) }, tenantId, { selection, period });

/** The answer of a reader that knows an earlier one, where it is what a reader without any memory tells. */
async function toldTheSame(kept: KeptReadings, selection = all): Promise<string> {
  const told = String(bytesOf(await ask(kept, selection)));
  const fresh = String(bytesOf(await ask(undefined, selection)));
  expect(told === fresh, `what is kept is what is there: ${firstDifference(told, fresh)}`).toBe(true);
  return told;
}

function firstDifference(left: string, right: string): string {
  let place = 0;
  while (place < left.length && left[place] === right[place]) place += 1;
  return `${left.slice(place - 100, place + 60)} | ${right.slice(place - 20, place + 60)}`;
}

const capture = (client: Pick<pg.ClientBase, 'query'>, place: number) =>
  client.query(
    `UPDATE source_lines SET last_position = last_position + 1, eligible_count = eligible_count + 1
     WHERE scope_key = (SELECT scope_key FROM scopes WHERE scope_id = $1)`,
    [named(place)],
  );

const scopeOf = (told: string, place: number) =>
  JSON.parse(told).by_scope.find((one: { scope_id: string }) => one.scope_id === named(place));

const pendingOf = (told: string, place: number): number =>
  scopeOf(told, place).inventory.sources.memory_pending;

/** A transaction that stays open until it is told how to end. */
async function begin() {
  const client = await pool.connect();
  await client.query('BEGIN');
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    await client.query(how);
    client.release();
  };
  return { client, end };
}

test('what changes between two readings is in the second, byte for byte as in one of a reader without memory', async () => {
  const kept = new KeptReadings();
  const first = await toldTheSame(kept);
  expect(JSON.parse(first).by_scope).toHaveLength(1_000);
  expect(await toldTheSame(kept)).toBe(first);
  await capture(pool, 1);
  await capture(pool, 900);
  // Not told one by one, but in the sum.
  await capture(pool, 1_050);
  const second = await toldTheSame(kept);
  expect(pendingOf(second, 1)).toBe(6);
  expect(pendingOf(second, 900)).toBe(6);
  expect(JSON.parse(second).inventory.sources.total).toBe(JSON.parse(first).inventory.sources.total + 3);
});

test('kinds that vanish, unknown tokens, past days and families of Artifacts are told as they are', async () => {
  const kept = new KeptReadings();
  await toldTheSame(kept);
  const scopeKey = `(SELECT scope_key FROM scopes WHERE scope_id = '${named(7)}')`;
  // As a write to Memory does.
  await pool.query(
    `WITH total AS (UPDATE memory_totals SET active_entries = 0 WHERE scope_key = ${scopeKey})
     UPDATE memory_kinds SET active_entries = 0 WHERE scope_key = ${scopeKey}`,
  );
  const without = scopeOf(await toldTheSame(kept), 7);
  expect(without.inventory.memory.entries).toEqual({
    total: 0,
    active: 0,
    inactive: 0,
    by_kind: [],
  });
  await pool.query(
    `UPDATE model_usage_days SET input_tokens = NULL WHERE scope_key = ${scopeKey} AND day < $1`,
    [today()],
  );
  const unknown = await toldTheSame(kept);
  expect(JSON.parse(unknown).usage.totals.embedding.input_tokens).toBeNull();
  expect(scopeOf(unknown, 8).usage.totals.embedding.input_tokens).toBe(14);
  await pool.query(
    `UPDATE model_usage_days SET input_tokens = 3 WHERE scope_key = ${scopeKey} AND day < $1`,
    [today()],
  );
  expect(scopeOf(await toldTheSame(kept), 7).usage.totals.embedding.input_tokens).toBe(10);
  await pool.query(
    `INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) SELECT $1, ${scopeKey}, 'experience', 'b'`,
    [tenantId],
  );
  await pool.query(
    `INSERT INTO recall_days (tenant_id, scope_key, day, estimator, preparations)
     SELECT $1, ${scopeKey}, $2::date - 29, 'character:weighted/1', 1`,
    [tenantId, today()],
  );
  const last = scopeOf(await toldTheSame(kept), 7);
  expect(last.inventory.artifacts.by_family).toHaveLength(2);
  expect(last.recall.totals.preparations).toBe(5);
});

test('a transaction that was open during a reading is in the next one after its end, also where others have ended since', async () => {
  const kept = new KeptReadings();
  const slow = await begin();
  await capture(slow.client, 20);
  await slow.client.query('SAVEPOINT inner_one');
  await capture(slow.client, 21);
  await slow.client.query('RELEASE inner_one');
  const gone = await begin();
  await capture(gone.client, 22);
  // Younger transactions, which are over before the reading.
  for (let n = 0; n < 5; n += 1) await capture(pool, 23);
  const before = await toldTheSame(kept);
  await slow.client.query('SAVEPOINT inner_two');
  await capture(slow.client, 24);
  await slow.client.query('ROLLBACK TO inner_two');
  await slow.client.query('SAVEPOINT inner_three');
  await capture(slow.client, 25);
  await capture(pool, 23);
  await toldTheSame(kept);
  await slow.end('COMMIT');
  await gone.end('ROLLBACK');
  const after = await toldTheSame(kept);
  const changes = [20, 21, 22, 23, 24, 25].map((place) => pendingOf(after, place) - pendingOf(before, place));
  expect(changes).toEqual([1, 1, 0, 1, 0, 1]);
});

test('a Scope that is new, and a day that begins, are told at once', async () => {
  const kept = new KeptReadings();
  await toldTheSame(kept);
  await pool.query(`INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, 'first', '', '')`, [
    tenantId,
  ]);
  const grown = JSON.parse(await toldTheSame(kept));
  expect(grown.scope_ids).toContain('first');
  expect(grown.by_scope).toHaveLength(1_000);
  const before = now;
  now = new Date('2026-11-21T00:00:00.000Z');
  const next = JSON.parse(await toldTheSame(kept));
  expect(next.usage.daily.at(-1)).toMatchObject({ date: '2026-11-21', embedding: { requests: 0 } });
  now = before;
  await toldTheSame(kept);
  await pool.query(`DELETE FROM scopes WHERE scope_id = 'first'`);
});

test('an answer that is being sent stays as it was while later ones are made of it', async () => {
  const kept = new KeptReadings();
  const body = await ask(kept);
  const before = String(bytesOf(body));
  await capture(pool, 30);
  await ask(kept);
  expect(String(bytesOf(body)) === before).toBe(true);
});

test('readings at once, beside writes, each tell one moment, and what they leave behind is read on exactly', async () => {
  const kept = new KeptReadings();
  await toldTheSame(kept);
  const known = (told: LongBody) => {
    const { inventory, by_scope } = JSON.parse(String(bytesOf(told)));
    return [
      inventory.sources.total,
      by_scope.reduce(
        (sum: number, one: { inventory: typeof inventory }) => sum + one.inventory.sources.total,
        0,
      ),
    ];
  };
  const selection: ScopeSelection = {
    mode: 'exact',
    scope_ids: Array.from({ length: 200 }, (_, place) => named(place + 1)),
  };
  for (let round = 0; round < 10; round += 1) {
    const work = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 0 ? ask(kept, selection, 'today') : capture(pool, 1 + ((round * 12 + n) % 200)),
    );
    for (const told of await Promise.all(work)) {
      if ('rows' in told) continue;
      const [whole, added] = known(told);
      expect(whole).toBe(added);
    }
    await toldTheSame(kept, selection);
  }
});

test('a reading that fails on the way leaves the one before it as it is', async () => {
  const kept = new KeptReadings();
  await toldTheSame(kept);
  await capture(pool, 40);
  await pool.query('ALTER TABLE source_lines RENAME COLUMN eligible_count TO gone');
  await expect(ask(kept)).rejects.toThrow();
  await pool.query('ALTER TABLE source_lines RENAME COLUMN gone TO eligible_count');
  expect(pendingOf(await toldTheSame(kept), 40)).toBe(6);
});

/** The blocks of a kept answer, but for what is told of all Scopes. */
async function blocksOf(kept: KeptReadings): Promise<readonly Buffer[]> {
  const answer = await ask(kept);
  if (!(answer instanceof ReadyBody)) throw new Error('Nothing was kept.');
  return answer.blocks.slice(1);
}

test('an answer is sent from the blocks of the one before, and a Scope that has changed costs one of them', async () => {
  const kept = new KeptReadings();
  const first = await blocksOf(kept);
  const changedSince = async () => (await blocksOf(kept)).filter((block, place) => block !== first[place]);
  expect(first.length).toBeGreaterThan(10);
  expect(await changedSince()).toHaveLength(0);
  await capture(pool, 500);
  expect(await changedSince()).toHaveLength(1);
});

const some = (count: number): ScopeSelection => ({
  mode: 'exact',
  scope_ids: Array.from({ length: count }, (_, place) => named(place + 1)),
});

test('few Scopes are read anew', async () => {
  expect(await ask(new KeptReadings(), some(63))).not.toBeInstanceOf(ReadyBody);
  expect(await ask(new KeptReadings(), some(64))).toBeInstanceOf(ReadyBody);
});

/** How often a reading sends something while nothing that it has sent is unanswered. */
async function roundTripsOf(kept: KeptReadings): Promise<number> {
  let unanswered = 0;
  let trips = 0;
  const snapshot: typeof database.snapshot = (work) =>
    database.snapshot((sql) => {
      const send = async <T>(answer: () => Promise<T>): Promise<T> => {
        if (unanswered === 0) trips += 1;
        unanswered += 1;
        return await answer().finally(() => {
          unanswered -= 1;
        });
      };
      return work({
        rows: (...asked) => send(() => sql.rows(...asked)),
        first: (...asked) => send(() => sql.first(...asked)),
      });
    });
  await readStats({ ...reading, database: { snapshot }, kept }, tenantId, {
    selection: all,
    period: 'today',
  });
  return trips;
}

test('a reading waits for the database twice, and once where nothing has changed', async () => {
  const kept = new KeptReadings();
  expect(await roundTripsOf(kept)).toBe(2);
  expect(await roundTripsOf(kept)).toBe(1);
  await capture(pool, 60);
  expect(await roundTripsOf(kept)).toBe(2);
});

/** Asks for `today` on snapshots that fail in the end. */
async function askInVain(kept: KeptReadings, failure: Error): Promise<void> {
  const snapshot: typeof database.snapshot = async (work) => {
    await database.snapshot(work);
    throw failure;
  };
  const asked = { selection: all, period: 'today' } as const;
  const told = readStats({ ...reading, database: { snapshot }, kept }, tenantId, asked);
  await expect(told).rejects.toBe(failure);
}

test('what was read on a snapshot that turns out to be none is not kept', async () => {
  const kept = new KeptReadings();
  await roundTripsOf(kept);
  await capture(pool, 61);
  await askInVain(kept, new Error('There was no transaction.'));
  expect(await roundTripsOf(kept)).toBe(2);
});

test('after a snapshot whose server was lost, all is read anew: it may have lost what it had told', async () => {
  const kept = new KeptReadings();
  await roundTripsOf(kept);
  await askInVain(kept, Object.assign(new Error('crash of another process'), { code: '57P02' }));
  expect(await roundTripsOf(kept)).toBe(2);
});

test('what is on its way when all is cleared is not kept', async () => {
  const kept = new KeptReadings();
  const snapshot: typeof database.snapshot = async (work) => {
    const read = await database.snapshot(work);
    kept.clear();
    return read;
  };
  await readStats({ ...reading, database: { snapshot }, kept }, tenantId, {
    selection: all,
    period: 'today',
  });
  expect(await roundTripsOf(kept)).toBe(2);
});

test('Scopes that come to have more kinds than an answer goes through are 422 also where they are read again', async () => {
  const kept = new KeptReadings();
  const kinds = (from: number, to: number) =>
    pool.query(
      `WITH total AS (
         UPDATE memory_totals SET active_entries = 2000 WHERE scope_key IN (SELECT scope_key FROM scopes WHERE scope_id = ANY ($1))
       )
       INSERT INTO memory_kinds (tenant_id, scope_key, kind, active_entries)
       SELECT tenant_id, scope_key, 'more ' || n, 1 FROM scopes, generate_series(1, 1001) AS n WHERE scope_id = ANY ($1)`,
      [Array.from({ length: to - from }, (_, n) => named(from + n))],
    );
  await kinds(100, 150);
  await toldTheSame(kept, some(200));
  await kinds(150, 199);
  await toldTheSame(kept, some(200));
  await kinds(199, 201);
  const again = ask(kept, some(200));
  await expect(again).rejects.toMatchObject({ code: 'invalid_request', status: 422 });
  await expect(ask(undefined, some(200))).rejects.toMatchObject({ code: 'invalid_request', status: 422 });
});
