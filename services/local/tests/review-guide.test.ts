import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the review guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/guides/review.md')));
  const [captured, inbox, read, manifest, file, revised, approved, rejected, prepared, versions] = answers;
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(inbox).toMatchObject({
    items: [{ family: 'experience' }, { family: 'skill', title: 'schema-change', executable_count: 0 }],
    total: { value: 2, exact: true },
  });
  expect(read).toMatchObject({ version: 1, status: 'pending', reason: 'It cost an hour.' });
  expect(manifest).toMatchObject({ name: 'schema-change', files: [{ path: 'SKILL.md' }] });
  expect(file).toMatchObject({ path: 'SKILL.md', text: expect.stringContaining('Regenerate the client') });
  expect(revised).toMatchObject({ version: 2, status: 'pending', reason: null });
  expect(approved).toMatchObject({ version: 2, status: 'approved', result_artifact: { revision: 1 } });
  expect(rejected).toMatchObject({ status: 'rejected', decision_reason: 'The lesson says enough.' });
  expect(prepared).toMatchObject({ content: expect.stringContaining('in the commit that changes a schema') });
  expect(versions).toMatchObject({
    versions: [{ candidate: { version: 2 } }, { candidate: { version: 1 } }],
  });
  expect(answers).toHaveLength(10);
});
