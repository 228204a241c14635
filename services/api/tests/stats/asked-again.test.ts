import type { ScopeSelection } from '@continuity/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshScope, remember, retire } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { addUp, exactly, type Stats } from '../support/stats.ts';

let service: TestService;
let now = new Date('2026-11-20T09:30:00.000Z');

/** Enough for what is read of them to be kept. */
const scopes = Array.from({ length: 70 }, () => freshScope('many'));

beforeAll(async () => {
  service = await startService({
    workers: true,
    environment: { MEMORY_AUTO_FLUSH: 'off' },
    clock: { now: () => now },
  });
  await Promise.all(scopes.map((scope) => remember(service, scope, 'The first one.')));
});

afterAll(() => service.stop());

const periods = ['today', '7d', '30d'] as const;

async function ask(selection: ScopeSelection, period: (typeof periods)[number]): Promise<string> {
  const reply = await fetch(`${service.url}/v1/stats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ selection, period }),
  });
  expect(reply.status).toBe(200);
  return (await reply.text()).replace(JSON.stringify(selection), '…');
}

/** Each time another order of the same Scopes, so that nothing is known of the selection. */
function neverAsked(): ScopeSelection {
  orders += 1;
  const [turned, rest] = [orders % scopes.length, Math.floor(orders / scopes.length)];
  const [first = '', ...others] = [...scopes.slice(turned), ...scopes.slice(0, turned)];
  return exactly(...others.slice(0, rest), first, ...others.slice(rest));
}
let orders = 0;

const verbs = ['remember', 'retire', 'capture', 'flush', 'prepare', 'use', 'recall'] as const;

interface Step {
  verb: (typeof verbs)[number];
  scope: number;
  word: number;
  day: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...verbs),
  scope: fc.nat(4).map((place) => place * 15),
  word: fc.nat(3),
  day: fc.nat(30),
});

const addUse = `
  INSERT INTO model_usage_days AS d
  SELECT tenant_id, scope_key, $2::date - $3::int, 'memory_recall', 'embedding', 1, nullif($4::int, 0), 5
  FROM scopes WHERE scope_id = $1
  ON CONFLICT (tenant_id, scope_key, day, purpose, operation) DO UPDATE SET
    requests = d.requests + 1, input_tokens = excluded.input_tokens, output_tokens = d.output_tokens + 5`;

const addRecall = `
  INSERT INTO recall_days AS d (tenant_id, scope_key, day, estimator, preparations, recalled_tokens)
  SELECT tenant_id, scope_key, $2::date - $3::int, 'character:weighted/1', 1, $4::int
  FROM scopes WHERE scope_id = $1
  ON CONFLICT (tenant_id, scope_key, day, estimator) DO UPDATE SET
    preparations = d.preparations + 1, recalled_tokens = d.recalled_tokens + excluded.recalled_tokens`;

async function take({ verb, scope, word, day }: Step, sourceId: string): Promise<void> {
  const scope_id = scopes[scope] ?? '';
  switch (verb) {
    case 'remember':
      await remember(service, scope_id, `We chose ${word}.`, `kind ${word}`);
      return;
    case 'retire':
      return await retireAny(scope_id, word);
    case 'capture':
      await capture(service, scope_id, sourceId, `We decided to use ${word}.`);
      return;
    case 'flush':
      await service.call('flush_memory', { body: { scope_id } });
      return;
    case 'prepare':
      await service.call('prepare_context', { body: { scope_id, query: 'chose' } });
      return;
    case 'use':
    case 'recall':
      await query(service.databaseUrl, verb === 'use' ? addUse : addRecall, [scope_id, now, day, word]);
  }
}

async function retireAny(scope_id: string, place: number): Promise<void> {
  const { entries } = (await service.call('list_memory_entries', { body: { scope_id } })).body;
  const entry = entries[place % Math.max(1, entries.length)];
  if (entry !== undefined) await retire(service, scope_id, entry.citation).catch(() => undefined);
}

interface Wave {
  steps: Step[];
  period: (typeof periods)[number];
  /** What else happens before the next wave. */
  next: 'nothing' | 'a day' | 'a Scope';
}

const wave: fc.Arbitrary<Wave> = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  period: fc.constantFrom(...periods),
  next: fc.constantFrom('nothing', 'nothing', 'nothing', 'a day', 'a Scope'),
});

test('whatever happens between and beside them, what is asked again is answered as what was never asked', async () => {
  let sources = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(wave, { minLength: 1, maxLength: 8 }), async (waves) => {
      for (const { steps, period, next } of waves) {
        const selection = exactly(...scopes);
        const works = steps.map((one) => {
          sources += 1;
          return take(one, `source-${sources}`);
        });
        const [beside] = await Promise.all([ask(selection, period), ...works]);
        const told: Stats = JSON.parse(beside.replace('…', '{}'));
        expect(addUp([told])).toEqual(addUp(told.by_scope));
        const [again, fresh] = [await ask(selection, period), await ask(neverAsked(), period)];
        expect(again === fresh).toBe(true);
        const all: Stats = JSON.parse((await ask({ mode: 'all' }, period)).replace('…', '{}'));
        const ofMany = all.by_scope.filter(({ scope_id }) => scopes.includes(scope_id));
        expect(fresh.endsWith(`"by_scope":${JSON.stringify(ofMany)}}`)).toBe(true);
        if (next === 'a day') now = new Date(now.getTime() + 86_400_000);
        if (next === 'a Scope') await remember(service, freshScope('new'), 'The first one.');
      }
    }),
    { numRuns: 15 },
  );
}, 120_000);
