import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../../../scripts/docs/generated-files.ts';
import { bundleHookProgram, hookProgramPath } from '../../../../scripts/docs/hook-program.ts';

test.each(Object.entries(generatedFiles()))('%s is up to date', async (path, content) => {
  const committed = await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  expect(committed, 'Run `npm run docs:generate` and commit what it writes.').toBe(content);
});

test('the hook program is up to date', async () => {
  const content = await readFile(new URL(`../../../../${hookProgramPath}`, import.meta.url), 'utf8');
  expect(content).toBe(await bundleHookProgram());
});
