import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the artifacts guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/artifacts.md')));
  const [created, listed, replaced, first, skill, lesson, tool] = answers;
  expect(created).toMatchObject({ family: 'experience', revision: 1 });
  expect(listed).toMatchObject({ items: [{ revision: 1 }], next_cursor: null });
  expect(replaced).toMatchObject({
    revision: 2,
    content: { lesson: expect.stringContaining('in the commit') },
  });
  expect(first).toEqual(created);
  expect(skill).toMatchObject({
    content: {
      validation: [],
      package: { tree_digest: '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec' },
    },
  });
  expect(lesson).toMatchObject({ source: { scope_id: 'billing' }, target: { artifact: { revision: 1 } } });
  expect(tool).toMatchObject({ target: { artifact: { family: 'skill', revision: 1 } } });
  expect(answers).toHaveLength(7);
});
