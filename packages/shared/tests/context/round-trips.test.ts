import { type Database, openDatabase, type TenantId } from '@continuity/kernel/database';
import { systemClock } from '@continuity/kernel/process';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArtifact } from '../../src/artifacts/create.ts';
import { prepareContext } from '../../src/context/prepare-context.ts';
import { experienceCorpus } from '../../src/experience/index.ts';
import { families } from '../../src/families/index.ts';
import { requireEntry } from '../../src/memory/normalize.ts';
import { remember } from '../../src/memory/remember.ts';
import { VectorSupportCache } from '../../src/memory/search/index.ts';
import { CorpusCache } from '../../src/search/index.ts';

const source = await createDatabase();
const database: Database = openDatabase({
  url: source.url,
  size: 4,
  name: 'round-trips',
  onIdleError: () => undefined,
});
const others = Array.from({ length: 20 }, (_, n) => `other ${String(n).padStart(2, '0')}`);
let tenantId: TenantId;
const failures: unknown[] = [];

beforeAll(async () => {
  tenantId = await ensureTenant(database, 'default');
  for (const scopeId of ['alone', 'full', 'crowded', ...others]) {
    const entry = requireEntry({ kind: 'fact', text: `The gazebo of ${scopeId}.` });
    await remember(database, { tenantId, scopeId, ...entry, expectedRevision: null });
  }
  await learnIn('crowded');
  await learnIn('other 00');
  await database.pool.query(
    `UPDATE scopes SET context_references = $1 WHERE scope_id IN ('full', 'crowded')`,
    [others],
  );
  // As if each held many more Experiences.
  await database.pool.query('UPDATE document_totals SET documents = 5000');
  // As if these were large, which no cache knows yet.
  await database.pool.query(
    `UPDATE memory_totals SET active_entries = 5000
     WHERE scope_key IN (SELECT scope_key FROM scopes WHERE scope_id IN ('crowded', 'other 00'))`,
  );
});

afterAll(async () => {
  await database.close();
  await source.drop();
});

async function learnIn(scopeId: string): Promise<void> {
  const content = {
    situation: `A gazebo of ${scopeId}.`,
    action: 'Look.',
    outcome: 'Seen.',
    lesson: 'Look twice.',
  };
  const body = { family: 'experience' as const, content };
  await createArtifact({ database, families }, { tenantId, scopeId, idempotencyKey: undefined, body });
}

const prepareIn = (scopeId: string, corpusCache = new CorpusCache(), query = 'gazebo') =>
  prepareContext(
    {
      database,
      searchDeps: {
        database,
        embedder: () => null,
        vectorSupport: new VectorSupportCache(),
        corpusCache,
        reranker: null,
      },
      logger: { warn: (line: unknown) => failures.push(line) } as never,
      clock: systemClock,
      estimates: true,
    },
    { tenantId, scopeId, query, format: 'compact', maxBytes: 32_768, maxItems: 16 },
  );

/** Resolves when no connection is in use. */
const settled = () => waitUntil(() => database.pool.idleCount === database.pool.totalCount);

/**
 * How often `work` sends something while nothing that it has sent is unanswered: what is sent together, on any connection,
 * waits for the database once.
 */
async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = pg.Client;
  const query = prototype.query;
  let unanswered = 0;
  let trips = 0;
  const answered = () => {
    unanswered -= 1;
  };
  prototype.query = function counted(this: pg.Client, ...values: unknown[]) {
    if (unanswered === 0) trips += 1;
    unanswered += 1;
    // The pool asks with a callback, a transaction for a promise.
    const last = values.at(-1);
    if (typeof last === 'function') {
      const callback = (...result: unknown[]) => {
        answered();
        Reflect.apply(last, undefined, result);
      };
      return Reflect.apply(query, this, [...values.slice(0, -1), callback]) as unknown;
    }
    const answer = Reflect.apply(query, this, values) as unknown as Promise<unknown>;
    answer.then(answered, answered);
    return answer;
  } as typeof query;
  try {
    await work();
    await settled();
  } finally {
    prototype.query = query;
  }
  return trips;
}

test.each([
  ['an unknown Scope', 'unknown', 2, 'empty'],
  ['a Scope without references', 'alone', 2, 'ready'],
  ['a Scope with more references than are read', 'full', 3, 'ready'],
  ['a Scope with many Experiences, and so one that it refers to', 'crowded', 3, 'ready'],
])(
  'spec 20 §8: a preparation in %s takes at most three round trips',
  async (_name, scopeId, most, status) => {
    // Connections are open and their statements prepared.
    for (let run = 0; run < 3; run += 1) await prepareIn(scopeId);
    await settled();
    let prepared: { status: string } | undefined;
    const trips = await roundTripsOf(async () => {
      prepared = await prepareIn(scopeId);
    });
    expect(prepared?.status).toBe(status);
    expect(trips).toBeLessThanOrEqual(most);
    expect(failures).toEqual([]);
  },
);

test('spec 20 §8: a stale corpus cache costs no further round trip', async () => {
  const scopeId = 'crowded';
  await database.pool.query('UPDATE memory_totals SET languages = 1');
  await database.pool.query('UPDATE document_totals SET languages = 1');
  for (let run = 0; run < 3; run += 1) await prepareIn(scopeId);
  await settled();
  const cache = new CorpusCache();
  cache.set({ tenantId, scopeId }, { total: 1, languages: 0 });
  cache.set(experienceCorpus(tenantId, scopeId), { total: 1, languages: 0 });
  let prepared: { content: string | null } | undefined;
  const trips = await roundTripsOf(async () => {
    prepared = await prepareIn(scopeId, cache);
  });
  expect(prepared?.content).toContain('gazebo');
  expect(trips).toBeLessThanOrEqual(3);
});

test('spec 20 §8 and P11: a large Scope that this process has not searched costs no further round trip, and the answer is equal', async () => {
  const query = 'the gazebo of crowded other scopes';
  for (let run = 0; run < 3; run += 1) await prepareIn('crowded', new CorpusCache(), query);
  await settled();
  const cache = new CorpusCache();
  const contents: unknown[] = [];
  for (let run = 0; run < 3; run += 1) {
    const trips = await roundTripsOf(async () => {
      contents.push((await prepareIn('crowded', cache, query)).content);
    });
    expect(trips).toBeLessThanOrEqual(3);
  }
  expect(contents[0]).toContain('The gazebo of crowded.');
  expect(new Set(contents).size).toBe(1);
});

test('spec 20 P3: Experiences are found where there are many of them, too', async () => {
  const { content } = await prepareIn('crowded');
  expect(content?.match(/"kind":"experience"/g)).toHaveLength(2);
});
