import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshScope, remember } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { addUp, exactly, type Stats, statsOf } from '../support/stats.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
});

afterAll(() => service.stop());

const verbs = ['remember', 'revise', 'retire', 'capture', 'flush', 'create', 'prepare'] as const;

interface Step {
  verb: (typeof verbs)[number];
  /** Index of one of the history's Scopes. */
  scope: number;
  /** Index of a word and of a kind. */
  word: number;
}

const words = ['anchor', 'berth', 'crane', 'derrick'];
const kinds = ['fact', 'decision', '團隊規則', 'Fact'];

const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...verbs),
  scope: fc.nat(2),
  word: fc.nat(3),
});

/** Waves of steps. The steps of one wave run concurrently. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });

async function take({ verb, word, scope }: Step, scopes: string[], source_id: string): Promise<void> {
  const scope_id = scopes[scope] ?? '';
  const text = `We decided to use the ${words[word]}.`;
  const kind = kinds[word] ?? '';
  switch (verb) {
    case 'remember':
      await remember(service, scope_id, text, kind);
      return;
    case 'revise':
      return await changeAny(scope_id, word, 'revise_memory_entry', { kind, text: `${text} Again.` });
    case 'retire':
      return await changeAny(scope_id, word, 'retire_memory_entry', {});
    case 'capture':
      await service.call('capture_content_source', {
        body: { scope_id, source_id, content: text },
      });
      return;
    case 'flush':
      await service.call('flush_memory', { body: { scope_id } });
      return;
    case 'create': {
      const body = { family: 'memory', content: { entries: [{ kind, text }] } };
      await service.send('POST', `/v1/scopes/${scope_id}/artifacts`, body);
      return;
    }
    case 'prepare':
      await service.call('prepare_context', { body: { scope_id, query: words[word] ?? '' } });
  }
}

/** Changes one entry of the Scope, if it has any. A concurrent change may win. */
async function changeAny(
  scope_id: string,
  place: number,
  id: 'revise_memory_entry' | 'retire_memory_entry',
  change: { kind?: string; text?: string },
): Promise<void> {
  const listed = { scope_id, include_inactive: true };
  const { entries } = (await service.call('list_memory_entries', { body: listed })).body;
  const entry = entries[place % Math.max(1, entries.length)];
  if (entry === undefined) return;
  await service.send('POST', `/v1/memory/entries/${id.split('_')[0]}`, {
    scope_id,
    citation: entry.citation,
    ...change,
  });
}

/** Counts the inventory of each Scope from the rows themselves instead of the counters. */
const countRows = `
  SELECT c.scope_id,
    json_build_object(
      'total', (SELECT count(*) FROM sources s WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key)),
      'memory_pending', (SELECT count(*) FROM sources s JOIN source_sequences l USING (tenant_id, scope_key)
        WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key) AND s.eligible
          AND s.position > l.extraction_cursor)) AS sources,
    (SELECT count(*) FROM artifacts a WHERE (a.tenant_id, a.scope_key) = (c.tenant_id, c.scope_key)) AS artifacts,
    (SELECT coalesce(json_agg(k ORDER BY k.kind), '[]') FROM (
      SELECT v.kind, count(*) AS total, count(*) FILTER (WHERE s.active) AS active,
        count(*) FILTER (WHERE NOT s.active) AS inactive
      FROM memory_states s JOIN memory_versions v USING (tenant_id, artifact_key, entry_id, version)
      WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key) AND s.valid_to IS NULL GROUP BY v.kind
    ) AS k) AS kinds
  FROM scopes c WHERE c.scope_id = ANY ($1) ORDER BY c.scope_id`;

function countedOf({ scope_id, inventory }: Stats['by_scope'][number]) {
  const { total, memory_pending, memory_processed } = inventory.sources;
  expect(memory_processed).toBe(total - memory_pending);
  const { by_kind, ...entries } = inventory.memory.entries;
  const sum = (figure: 'total' | 'active' | 'inactive') =>
    by_kind.reduce((all, kind) => all + kind[figure], 0);
  expect(entries).toEqual({ total: sum('total'), active: sum('active'), inactive: sum('inactive') });
  return {
    scope_id,
    sources: { total, memory_pending },
    artifacts: inventory.artifacts.total,
    kinds: by_kind,
  };
}

test('spec 20 T2, T3, T8: after any history the counters equal the rows, and every answer is the sum of its Scopes', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (waves) => {
      const scopes = ['a', 'b', 'c'].map((name) => freshScope(name));
      for (const scope of scopes) await remember(service, scope, 'The first one.');
      for (const [number, wave] of waves.entries()) {
        const [during] = await Promise.all([
          statsOf(service, exactly(...scopes), '7d'),
          ...wave.map((one, index) => take(one, scopes, `${number}-${index}`)),
        ]);
        expect(addUp([during])).toEqual(addUp(during.by_scope));
      }
      const stats = await statsOf(service, exactly(...scopes), '7d');
      const rows = await query(service.databaseUrl, countRows, [scopes]);
      const counted = rows.map((row) => ({ ...row, artifacts: Number(row['artifacts']) }));
      expect(stats.by_scope.map(countedOf)).toEqual(counted);
      expect(addUp([stats])).toEqual(addUp(stats.by_scope));
    }),
    { numRuns: 30 },
  );
});
