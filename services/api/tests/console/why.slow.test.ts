import { expect, test } from 'vitest';
import { RandomContexts } from '../support/random-contexts.ts';
import { statsOf } from '../support/stats.ts';
import { setUpConsole } from './support/console.ts';

const on = setUpConsole();

test('spec 60 scenario 13: of 50 queries the page shows the context, its sum and the outcomes as the service has them', async () => {
  const random = new RandomContexts(on.service, 60);
  await random.begin();
  for (let count = 0; count < 120; count += 1) await random.change();
  const before = await statsOf(on.service, { mode: 'all' });
  const phrases = {
    included: 'Included',
    truncated: 'Truncated',
    no_room: 'No room',
    enough_items: 'Eight items are in',
    family_limit: 'Limit of two Experiences',
  };
  for (let count = 0; count < 50; count += 1) {
    const { scope_id, query, max_bytes = 8_000 } = random.request();
    const { body } = await on.service.call('explain_context', {
      body: { scope_id, query: query.trim(), max_bytes },
    });
    const { prepared, frame_bytes, items } = body;
    const taken = items.filter(({ item_bytes }) => item_bytes !== null);
    if (taken.length > 0)
      expect(prepared.content_bytes).toBe(
        frame_bytes + taken.reduce((sum, { item_bytes }) => sum + (item_bytes ?? 0), 0) + taken.length - 1,
      );
    await on.tab.open(`why?scope=${scope_id}&max_bytes=${max_bytes}#q=${encodeURIComponent(query)}`);
    const number = (value: number) => value.toLocaleString('en');
    await on.tab.page
      .getByText(
        `${taken.length} of ${items.length} candidates are in the context: ${number(prepared.content_bytes)} of ${number(max_bytes)} bytes.`,
      )
      .waitFor();
    const cells = on.tab.page.getByRole('table', { name: 'Candidates' }).locator('td[data-label="Outcome"]');
    expect((await cells.allTextContents()).map((text) => text.trim())).toEqual(
      items.map(({ outcome }) => phrases[outcome]),
    );
    if (prepared.content !== null) {
      await on.tab.page.getByText('What the agent got', { exact: true }).click();
      const shown = on.tab.page.locator('details[open] .text');
      expect(await shown.textContent()).toContain('BEGIN_SERVICE_PREPARED_CONTEXT_V1');
    }
  }
  expect((await statsOf(on.service, { mode: 'all' })).recall).toEqual(before.recall);
});
