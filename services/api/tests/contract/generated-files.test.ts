import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../../../scripts/docs/generated-files.ts';
import { bundleHookCredentials, hookCredentialsPath } from '../../../../scripts/docs/hook-credentials.ts';

test.each(Object.entries(generatedFiles()))('%s is up to date', async (path, content) => {
  const committed = await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  expect(committed, 'Run `npm run docs:generate` and commit what it writes.').toBe(content);
});

test('the credential rules of the hook are up to date', async () => {
  const content = await readFile(new URL(`../../../../${hookCredentialsPath}`, import.meta.url), 'utf8');
  expect(content).toBe(await bundleHookCredentials());
});
