import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

const main = fileURLToPath(new URL('../../../dist/continuity.mjs', import.meta.url));

test('the commands of the guide to remote Skills work as documented', async () => {
  const command = `continuity() { '${process.execPath}' '${main}' "$@"; }\n`;
  const answers = await runGuide(command + commandsOf(await readDocument('docs/remote-skills.md')));
  const [enrolled, published, installed, listed, unpublished, removed, status, revoked, unenrolled] = answers;
  expect(enrolled).toEqual(unenrolled && { ...unenrolled, workspace: expect.any(String) });
  expect(published).toMatchObject({ state: 'pending', generation: 0 });
  expect(installed).toMatchObject({
    installed: [{ skill_name: 'release-check', revision: 1 }],
    problems: [],
  });
  expect(listed).toMatchObject({
    targets: [{ target: { presence: 'online' }, publications: [{ state: 'current', generation: 0 }] }],
  });
  expect(unpublished).toMatchObject({ state: 'pending', generation: 1 });
  expect(removed).toMatchObject({ removed: [{ skill_name: 'release-check' }] });
  expect(status).toMatchObject({ running: null, skills: [], last_sync: { fault: null, problems: [] } });
  expect(revoked).toMatchObject({ state: 'revoked' });
  expect(answers).toHaveLength(9);
});
