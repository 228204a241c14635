import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the connectors guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/connectors.md')));
  const [first, second, third, flushed, found] = answers;
  expect(first).toEqual({ submitted: 2, unchanged: 0, skipped: [] });
  expect(second).toEqual({ submitted: 0, unchanged: 2, skipped: [] });
  expect(third).toEqual({ submitted: 1, unchanged: 1, skipped: [] });
  expect(flushed).toMatchObject({ status: 'processed', processed_source_count: 3 });
  expect(found).toMatchObject({ hits: [{ text: 'We decided to write off unpaid bills after day ninety.' }] });
});
