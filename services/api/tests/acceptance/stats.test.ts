import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshScope, remember, retire } from '../support/memory.ts';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { addUp, exactly, inventoryOf, statsOf } from '../support/stats.ts';

let service: TestService;
/** Overrides the time of the service. */
let stopped: Date | null = null;

beforeAll(async () => {
  service = await startService({
    workers: true,
    environment: { MEMORY_AUTO_FLUSH: 'off' },
    clock: { now: () => stopped ?? new Date() },
  });
});

afterAll(() => service.stop());

const flush = (scope_id: string) => service.call('flush_memory', { body: { scope_id } });
const prepare = (scope_id: string, asked: string) =>
  service.call('prepare_context', { body: { scope_id, query: asked } });

/** Inserts a counter of model calls. */
const addUse = (scopeId: string, day: string, purpose: string, figures: (number | null)[]) =>
  query(
    service.databaseUrl,
    `INSERT INTO model_usage_days SELECT tenant_id, scope_key, $2, $3, 'generation', $4, $5, $6 FROM scopes WHERE scope_id = $1`,
    [scopeId, day, purpose, ...figures],
  );

const zero = { requests: 0, input_tokens: 0, output_tokens: 0 };

describe('spec 20 scenario 34', () => {
  test('the top level is the sum of by_scope, section by section', async () => {
    const [first, second] = [freshScope('first'), freshScope('second')];
    for (const scope of [first, second]) {
      await remember(service, scope, 'The harbour opens at six.', 'fact');
      const { entry } = await remember(service, scope, 'Use the north berth.', 'decision');
      await retire(service, scope, entry.citation);
      await capture(service, scope, 'a', 'We decided to use the south berth.');
      await capture(service, scope, 'b', 'The crane must never lift more than ten tons.');
      await flush(scope);
      await prepare(scope, 'berth');
    }
    await capture(service, second, 'c', 'Pending.');
    const today = new Date().toISOString().slice(0, 10);
    await addUse(first, today, 'memory_extraction', [2, 100, 10]);
    await addUse(second, today, 'memory_extraction', [3, 200, null]);
    await addUse(second, today, 'handoff_generation', [1, 7, 7]);
    const stats = await statsOf(service, exactly(second, first), '7d');
    expect(stats.scope_ids).toEqual([first, second]);
    expect(stats.selection).toEqual(exactly(second, first));
    expect(stats.by_scope.map(({ scope_id }) => scope_id)).toEqual([first, second]);
    expect(addUp([stats])).toEqual(addUp(stats.by_scope));
    const { body: total } = await service.call('get_stats', {
      body: { selection: exactly(second, first), period: '7d', by_scope: false },
    });
    expect(total).toEqual({ ...stats, as_of: total.as_of, scope_ids: [], by_scope: [] });
    expect(stats.inventory.sources).toEqual({ total: 5, memory_processed: 4, memory_pending: 1 });
    expect(stats.inventory.artifacts).toEqual({ total: 2, by_family: [{ family: 'memory', total: 2 }] });
    expect(stats.inventory.memory.entries).toMatchObject({ total: 8, active: 6, inactive: 2 });
    expect(stats.inventory.memory.entries.by_kind).toEqual([
      { kind: 'constraint', total: 2, active: 2, inactive: 0 },
      { kind: 'decision', total: 4, active: 2, inactive: 2 },
      { kind: 'fact', total: 2, active: 2, inactive: 0 },
    ]);
    expect(stats.usage.totals.generation).toEqual({ requests: 6, input_tokens: 307, output_tokens: null });
    expect(stats.usage.by_purpose).toEqual([
      {
        purpose: 'handoff_generation',
        generation: { ...zero, requests: 1, input_tokens: 7, output_tokens: 7 },
        embedding: zero,
      },
      {
        purpose: 'memory_extraction',
        generation: { requests: 5, input_tokens: 300, output_tokens: null },
        embedding: zero,
      },
    ]);
    expect(stats.recall.totals).toMatchObject({
      preparations: 2,
      ready_preparations: 2,
      comparable_preparations: 2,
    });
  });

  test.each([
    ['today', 1],
    ['7d', 7],
    ['30d', 30],
  ] as const)('daily of %s has %i rows that end today in UTC', async (period, rows) => {
    const scope = await scopeCalls(service).captured(freshScope());
    const before = new Date();
    const { usage, recall, as_of } = await statsOf(service, exactly(scope), period);
    expect(Date.parse(as_of)).toBeGreaterThanOrEqual(before.getTime());
    const dates = Array.from({ length: rows }, (_, index) =>
      new Date(Date.parse(as_of) - (rows - 1 - index) * 86_400_000).toISOString().slice(0, 10),
    );
    expect(usage.daily.map(({ date }) => date)).toEqual(dates);
    expect(recall.daily.map(({ date }) => date)).toEqual(dates);
    const shape = { preset: period, start_date: dates[0], end_date: dates.at(-1), timezone: 'UTC' };
    expect([usage.period, recall.period]).toEqual([shape, shape]);
  });

  test('30d is the default period', async () => {
    const { body } = await service.call('get_stats', { body: { selection: { mode: 'all' } } });
    expect(body.usage.period.preset).toBe('30d');
  });

  test('an invalid request is 422, and an unknown id is 404', async () => {
    const bodies = [
      {},
      { selection: { mode: 'all' }, period: '1d' },
      { selection: { mode: 'all' }, period: null },
      { selection: { mode: 'exact', scope_ids: [] } },
      { selection: { mode: 'exact', scope_ids: ['a', 'a'] } },
      { selection: { mode: 'all' }, more: 1 },
      { selection: { mode: 'exact', scope_ids: ['\u0000'] } },
    ];
    for (const body of bodies) {
      const reply = await service.send('POST', '/v1/stats', body);
      expect([body, reply.status, reply.headers.get('cache-control')]).toEqual([body, 422, 'no-store']);
    }
    const known = await scopeCalls(service).captured(freshScope());
    for (const selection of [
      exactly(known, 'nowhere'),
      { mode: 'subtree', root_scope_id: 'nowhere' },
    ] as const) {
      const { status, error, headers } = await service.call('get_stats', { body: { selection } });
      expect([status, error?.code, error?.details]).toEqual([
        404,
        'scope_not_found',
        { scope_id: 'nowhere' },
      ]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

test('spec 20 T9: every answer of the path has Cache-Control: no-store', async () => {
  const json = { 'content-type': 'application/json' };
  const replies = await Promise.all([
    service.send('POST', '/v1/stats', { selection: { mode: 'all' } }),
    service.send('GET', '/v1/stats'),
    service.send('PUT', '/v1/stats?a=b', {}),
    service.send('POST', '/v1/stats', 'no json', json),
    service.send('POST', '/v1/stats', '<a/>', { 'content-type': 'text/xml' }),
    service.send('POST', '/v1/stats', { selection: 'x'.repeat(9_000_000) }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 405, 405, 422, 415, 413]);
  expect(replies.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(6).fill('no-store'));
  expect(replies[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(replies[1]?.headers.get('allow')).toBe('POST');
  expect((await service.send('GET', '/v1/scopes')).headers.get('cache-control')).toBeNull();
});

test('spec 20 scenario 33: a ready preparation of one flushed Source counts tokens; other preparations do not', async () => {
  const scope = freshScope();
  const content = `${'Zanzibar clove exports rose. '.repeat(14)}`.slice(0, 399).padEnd(400, '.');
  await capture(service, scope, 'a', content);
  await flush(scope);
  const { body } = await prepare(scope, 'Zanzibar clove exports');
  expect(body.status).toBe('ready');
  const recalled_tokens = Math.ceil(
    [...(body.content ?? '')].reduce((sum, one) => sum + (one < '\u0080' ? 1 : 4), 0) / 4,
  );
  const once = { preparations: 1, ready_preparations: 1, comparable_preparations: 1, baseline_tokens: 100 };
  const first = { ...once, recalled_tokens, token_reduction: 100 - recalled_tokens };
  const { recall } = await statsOf(service, exactly(scope));
  expect(recall.estimator).toEqual({ estimator_id: 'character:weighted', version: '1' });
  expect(recall.totals).toEqual(first);
  expect(recall.daily).toEqual([{ date: recall.period.end_date, ...first }]);

  await prepare(scope, 'nothing like that');
  expect((await statsOf(service, exactly(scope))).recall.totals).toEqual({ ...first, preparations: 2 });
  await remember(service, scope, 'Pemba sells cinnamon.');
  await prepare(scope, 'Pemba cinnamon');
  const last = (await statsOf(service, exactly(scope))).recall.totals;
  expect(last).toEqual({ ...first, preparations: 3, ready_preparations: 2 });
});

test('spec 20 T3: Sources that are not evidence are never pending, and families count heads', async () => {
  const scope = freshScope();
  const create = (family: string, content: unknown) =>
    service.send('POST', `/v1/scopes/${scope}/artifacts`, { family, content });
  const entries = [
    { kind: 'fact', text: 'One.' },
    { kind: 'note', text: 'Two.' },
  ];
  const experience = { situation: 'Fog.', action: 'Waited.', outcome: 'It lifted.', lesson: 'Wait for it.' };
  const made = await create('experience', experience);
  const others = [
    await create('memory', { entries }),
    await create('memory', { entries }),
    await create('experience', experience),
  ];
  expect([made, ...others].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  // Heads are counted, not revisions.
  const { artifact_id } = made.json as { artifact_id: string };
  const head = { 'if-match': made.headers.get('etag') ?? '' };
  const path = `/v1/scopes/${scope}/artifacts/experience/${artifact_id}`;
  expect((await service.send('PUT', path, { content: { ...experience, lesson: 'Ask.' } }, head)).status).toBe(
    200,
  );
  expect(await inventoryOf(service, scope)).toMatchObject({
    sources: { total: 5, memory_processed: 5, memory_pending: 0 },
    artifacts: {
      total: 4,
      by_family: [
        { family: 'experience', total: 2 },
        { family: 'memory', total: 2 },
      ],
    },
    memory: {
      entries: {
        total: 4,
        active: 4,
        inactive: 0,
        by_kind: [
          { kind: 'fact', total: 2 },
          { kind: 'note', total: 2 },
        ],
      },
    },
    candidates: { total: 0, pending: 0, approved: 0, rejected: 0, by_family: [] },
  });
});

test('spec 20 T4: an empty Scope has no rows, and kinds ascend by bytes, the first 1000 of them', async () => {
  const empty = await scopeCalls(service).made();
  expect(await inventoryOf(service, empty)).toEqual({
    sources: { total: 0, memory_processed: 0, memory_pending: 0 },
    artifacts: { total: 0, by_family: [] },
    candidates: { total: 0, pending: 0, approved: 0, rejected: 0, by_family: [] },
    memory: { entries: { total: 0, active: 0, inactive: 0, by_kind: [] } },
  });
  const scope = freshScope();
  const kinds = Array.from(
    { length: 1_005 },
    (_, index) => `${String.fromCodePoint(0x10000 - (index % 2))}${index}`,
  );
  for (let start = 0; start < kinds.length; start += 100) {
    const entries = kinds.slice(start, start + 100).map((kind) => ({ kind, text: 'The same.' }));
    const body = { family: 'memory', content: { entries } };
    const made = await service.send('POST', `/v1/scopes/${scope}/artifacts`, body);
    expect(made.status).toBe(201);
  }
  // A kind disappears with its last entry.
  const { entry } = await remember(service, scope, 'Unlike.', '\u0001');
  const { memory_ref } = entry.citation;
  await service.call('revise_memory_entry', {
    body: {
      scope_id: scope,
      citation: { ...entry.citation, memory_ref },
      kind: kinds[0] ?? '',
      text: 'Unlike.',
    },
  });
  const { entries } = (await inventoryOf(service, scope)).memory;
  const ascending = kinds.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  expect([entries.total, entries.active]).toEqual([1_006, 1_006]);
  expect(entries.by_kind.map(({ kind }) => kind)).toEqual(ascending.slice(0, 1_000));
});

test('spec 20 T5, T6: days end at midnight UTC, and an unknown figure makes every sum that contains it null', async () => {
  const scope = await scopeCalls(service).captured(freshScope());
  await addUse(scope, '2026-03-01', 'memory_extraction', [1, 5, 50]);
  await addUse(scope, '2026-02-28', 'memory_extraction', [1, 7, null]);
  await addUse(scope, '2026-02-28', 'handoff_generation', [2, null, 9]);
  await addUse(scope, '2026-02-22', 'skill_generation', [4, 1, 1]);
  try {
    stopped = new Date('2026-03-01T00:00:00.000Z');
    const first = await statsOf(service, exactly(scope));
    expect(first.as_of).toBe('2026-03-01T00:00:00.000Z');
    expect(first.usage.totals.generation).toEqual({ requests: 1, input_tokens: 5, output_tokens: 50 });

    stopped = new Date('2026-02-28T23:59:59.999Z');
    const last = await statsOf(service, exactly(scope));
    expect(last.usage.totals.generation).toEqual({ requests: 3, input_tokens: null, output_tokens: null });
    expect(last.usage.by_purpose.map(({ purpose, generation }) => [purpose, generation])).toEqual([
      ['handoff_generation', { requests: 2, input_tokens: null, output_tokens: 9 }],
      ['memory_extraction', { requests: 1, input_tokens: 7, output_tokens: null }],
    ]);

    stopped = new Date('2026-03-01T12:00:00.000Z');
    const { usage } = await statsOf(service, exactly(scope), '7d');
    expect([usage.period.start_date, usage.period.end_date]).toEqual(['2026-02-23', '2026-03-01']);
    expect(usage.totals.generation).toEqual({ requests: 4, input_tokens: null, output_tokens: null });
    expect(usage.daily.slice(-2).map(({ generation }) => generation.requests)).toEqual([3, 1]);
    expect(usage.daily.slice(0, -2)).toEqual(
      usage.daily
        .slice(0, -2)
        .map(({ date }) => ({ date, generation: zero, embedding: zero, by_purpose: [] })),
    );
    expect((await statsOf(service, exactly(scope), '30d')).usage.by_purpose).toHaveLength(3);
  } finally {
    stopped = null;
  }
});

test('spec 20 T8: by_scope stops after 1000 Scopes, while the sums cover all', async () => {
  const root = await scopeCalls(service).made();
  await query(
    service.databaseUrl,
    `WITH made AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
       SELECT tenant_id, 'many-' || n, 'T', 'S', scope_id FROM scopes, generate_series(1, 1500) n WHERE scope_id = $1
       RETURNING tenant_id, scope_key
     ), lines AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position, eligible_count, extracted_count)
       SELECT tenant_id, scope_key, 5, 4, 1 FROM made
     ), heads AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT tenant_id, scope_key, 'memory', n, 1 FROM made, unnest('{memory,other}'::text[]) n
     ), totals AS (
       INSERT INTO memory_totals (tenant_id, scope_key, active_entries, inactive_entries)
       SELECT tenant_id, scope_key, 3, 2 FROM made
     ), kinds AS (
       INSERT INTO memory_kinds (tenant_id, scope_key, kind, active_entries, inactive_entries)
       SELECT tenant_id, scope_key, 'fact', 3, 2 FROM made
     ), used AS (
       INSERT INTO model_usage_days
       SELECT tenant_id, scope_key, current_date, 'memory_recall', 'embedding', 2, 10, NULL FROM made
     )
     INSERT INTO recall_days SELECT tenant_id, scope_key, current_date, 'character:weighted/1', 4, 3, 2, 100, 10 FROM made`,
    [root],
  );
  const stats = await statsOf(service, { mode: 'subtree', root_scope_id: root });
  expect(stats.scope_ids).toHaveLength(1_501);
  const ascending = stats.scope_ids.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  expect(stats.scope_ids).toEqual(ascending);
  expect(stats.by_scope.map(({ scope_id }) => scope_id)).toEqual(ascending.slice(0, 1_000));
  expect(stats.inventory).toEqual({
    sources: { total: 7_500, memory_processed: 3_000, memory_pending: 4_500 },
    artifacts: { total: 3_000, by_family: [{ family: 'memory', total: 3_000 }] },
    candidates: { total: 0, pending: 0, approved: 0, rejected: 0, by_family: [] },
    memory: {
      entries: {
        total: 7_500,
        active: 4_500,
        inactive: 3_000,
        by_kind: [{ kind: 'fact', total: 7_500, active: 4_500, inactive: 3_000 }],
      },
    },
  });
  const embedding = { requests: 3_000, input_tokens: 15_000, output_tokens: null };
  expect(stats.usage.totals).toEqual({ generation: zero, embedding });
  expect(stats.recall.totals).toEqual({
    preparations: 6_000,
    ready_preparations: 4_500,
    comparable_preparations: 3_000,
    baseline_tokens: 150_000,
    recalled_tokens: 15_000,
    token_reduction: 135_000,
  });
});

test('spec 20 M17: every request after a write counts it, also under concurrency', async () => {
  const scope = freshScope();
  await remember(service, scope, 'Number 0.');
  for (let count = 1; count < 15; count += 1) {
    const early = Array.from({ length: 4 }, () => inventoryOf(service, scope));
    await remember(service, scope, `Number ${count}.`);
    const late = await Promise.all(Array.from({ length: 6 }, () => inventoryOf(service, scope)));
    expect(late.map(({ memory }) => memory.entries.total)).toEqual(Array(6).fill(count + 1));
    await Promise.all(early);
  }
});
