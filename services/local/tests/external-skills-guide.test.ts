import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';
import { strictBash } from './support/shell.ts';

test('the commands of the External Skills guide work as documented', async () => {
  const directory = await temporaryDirectory('external-skills-guide');
  const text = commandsOf(await readDocument('docs/external-skills.md'));
  const commands = text.replaceAll('DIR=/tmp/external-skills-guide', `DIR=${directory}`);
  const start = 'EXTERNAL_SKILLS_FILE=$DIR/external-skills.json npm start\n';
  expect(commands).toContain(start);
  const [prepare = '', use = ''] = commands.split(start);
  await promisify(execFile)('bash', [...strictBash, prepare]);
  const environment = { EXTERNAL_SKILLS_FILE: join(directory, 'external-skills.json') };
  const answers = await runGuide(use, environment);
  const [scanned, listed, resolved, imported, forked] = answers;
  expect(scanned).toMatchObject({ registrations: [{ name: 'release-check' }], skipped: 0 });
  const locator = join(directory, 'skills/release-check');
  expect(listed).toMatchObject({ skills: [{ status: 'available', registration: { locator } }] });
  expect(resolved).toMatchObject({ status: 'available', entrypoint: join(locator, 'SKILL.md') });
  expect(imported).toMatchObject({ candidate: { proposal: { name: 'release-check' } } });
  expect(forked).toMatchObject({ candidate: { proposal: { name: 'release-check-fork' } } });
  expect(answers).toHaveLength(5);
});
