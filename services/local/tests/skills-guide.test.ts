import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the Skills guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/skills.md')));
  const [found, manifest, usage, deprecated, listed] = answers;
  expect(found).toMatchObject({ skills: [{ content: { name: 'release-check' } }] });
  expect(manifest).toMatchObject({
    name: 'release-check',
    files: [
      { path: 'SKILL.md', executable: false },
      { path: 'scripts/verify.sh', executable: true },
    ],
  });
  expect(usage).toMatchObject({ status: 'accepted', source: { name: 'skill-usage' } });
  expect(deprecated).toMatchObject({ lifecycle_state: 'deprecated', governance_generation: 1 });
  expect(listed).toMatchObject({ skills: [{ governance: { lifecycle_state: 'deprecated' } }] });
  expect(answers).toHaveLength(5);
});
