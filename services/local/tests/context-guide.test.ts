import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the context guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/context.md')));
  const [remembered, captured, flushed, prepared] = answers;
  expect(remembered).toMatchObject({ memory: { revision: 1 } });
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(flushed).toMatchObject({ status: 'processed' });
  expect(prepared).toMatchObject({ schema: 'service.prepared-context.v1', status: 'ready' });
  const { content } = prepared as { content: string };
  const { items } = JSON.parse(content.split('\n')[3] ?? '') as { items: object[] };
  expect(items).toMatchObject([
    { citation: { memory_ref: {} }, content: expect.stringContaining('contract tests') },
    { citation: { memory: { scope_id: 'team-conventions' } }, content: expect.stringContaining('changelog') },
  ]);
});
