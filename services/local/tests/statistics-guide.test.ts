import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the statistics guide work as documented', async () => {
  const [captured, flushed, prepared, stats] = await runGuide(
    commandsOf(await readDocument('docs/statistics.md')),
  );
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(flushed).toMatchObject({ status: 'processed', current_cursor: 1 });
  expect(prepared).toMatchObject({ status: 'ready' });
  expect(stats).toMatchObject({
    scope_ids: ['ferry-planner'],
    inventory: {
      sources: { total: 1, memory_processed: 1, memory_pending: 0 },
      artifacts: { by_family: [{ family: 'memory', total: 1 }] },
      memory: {
        entries: {
          by_kind: expect.arrayContaining([
            expect.objectContaining({ kind: 'constraint', total: 1 }),
            expect.objectContaining({ kind: 'decision', total: 1 }),
          ]),
        },
      },
    },
    usage: { totals: { generation: { requests: 0 } }, daily: { length: 7 } },
    recall: { totals: { preparations: 1, ready_preparations: 1, comparable_preparations: 1 } },
    by_scope: [{ scope_id: 'ferry-planner' }],
  });
});

test('spec 25 Q12: the context of the example has fewer tokens than its evidence', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/statistics.md')));
  const { recall } = answers.at(-1) as { recall: { totals: Record<string, number> } };
  const { baseline_tokens = 0, recalled_tokens = 0, token_reduction } = recall.totals;
  expect(recalled_tokens).toBeGreaterThan(0);
  expect(recalled_tokens).toBeLessThan(baseline_tokens);
  expect(token_reduction).toBe(baseline_tokens - recalled_tokens);
});
