import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';
import { blocksOf } from './support/shell.ts';

test("the commands of the README's first session work as documented", async () => {
  const [, text = ''] = (await readDocument('README.md')).split('## A first session\n');
  const [chapter = ''] = text.split('\n## ');
  const answers = await runGuide(commandsOf(chapter));
  const [captured, flushed, remembered, found, revised, read, changes, prepared] = answers;
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(flushed).toMatchObject({ status: 'processed', current_cursor: 1 });
  expect(remembered).toMatchObject({ entry: { text: 'Deployments happen on Tuesdays.' } });
  expect(found).toMatchObject({ hits: [{ text: 'Deployments happen on Tuesdays.' }] });
  expect(revised).toMatchObject({ entry: { text: 'Deployments happen on Mondays.', version: 2 } });
  expect(read).toMatchObject({ text: 'Deployments happen on Tuesdays.', version: 1 });
  expect(changes).toMatchObject({ revisions: [{}, {}, {}] });
  expect(prepared).toMatchObject({
    status: 'ready',
    content: expect.stringContaining('Deployments happen on Mondays.'),
  });
  // The README shows each answer; `…` is what differs or is left out.
  const shown = blocksOf(chapter, 'json');
  expect(shown).toHaveLength(answers.length);
  const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');
  for (const [index, block] of shown.entries()) {
    const parts = withoutSpace(block)
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    expect(withoutSpace(JSON.stringify(answers[index]))).toMatch(new RegExp(`^${parts.join('.*')}`));
  }
});
