import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the context guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/context.md')));
  const [remembered, captured, flushed, prepared, explained] = answers;
  expect(remembered).toMatchObject({ memory: { revision: 1 } });
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(flushed).toMatchObject({ status: 'processed' });
  expect(prepared).toMatchObject({ schema: 'service.prepared-context.v2', status: 'ready' });
  const { content } = prepared as { content: string };
  const { items } = JSON.parse(content.split('\n')[3] ?? '') as { items: object[] };
  expect(items).toMatchObject([
    { text: expect.stringContaining('contract tests') },
    { text: expect.stringContaining('changelog'), scope: 'team-conventions' },
  ]);
  expect(explained).toMatchObject({
    prepared: { status: 'ready' },
    items: [{ outcome: 'included' }, { outcome: 'included' }],
    subjects: [{ outcome: 'listed', item: 0 }],
  });
});
